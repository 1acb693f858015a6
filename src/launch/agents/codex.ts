// Codex: the hook, the trust in it and the shell's files as -c overrides. An untrusted hook is skipped in silence, so its hash goes along.

import { type Bytes, fromText, quote, toText } from "../../policy/bytes.ts";
import { hashOf } from "../../registration/trust.ts";
import { elementsOf } from "../toml.ts";
import type { AgentLaunch, Given } from "./agent.ts";

/** The lists that ours are put into: a later override of the same name replaces an earlier one without a word. */
const STATE = "hooks.state";

/** The events that we answer: the list of their hooks, and their name in a hash and in a place. The second goes with a floor. */
const BEFORE = { list: "hooks.PreToolUse", event: "pre_tool_use" };
const AFTER = { list: "hooks.PostToolUse", event: "post_tool_use" };
const LISTS: readonly string[] = [BEFORE.list, AFTER.list, STATE];

/** One `-c NAME=VALUE` of a command line (codex --help). */
interface Override {
	name: string;
	value: string;
}

/** The overrides of a person that ours would meet, and the words without them. What stands behind `--` is no option. */
function takeOverrides(argv: readonly Bytes[]): { overrides: Override[]; rest: Bytes[] } {
	const end = argv.indexOf("--");
	const words = end < 0 ? argv : argv.slice(0, end);
	const overrides: Override[] = [];
	const rest: Bytes[] = [];
	for (let at = 0; at < words.length; at++) {
		const word = words[at] as Bytes;
		const apart = word === "-c" || word === "--config";
		const written = apart ? (words[at + 1] ?? "") : /^--config=/.test(word) ? word.slice("--config=".length) : word.replace(/^-c=?/, "");
		const equals = written.indexOf("=");
		const name = written.slice(0, Math.max(0, equals)).trim();
		const isOption = apart || word.startsWith("--config=") || (word.startsWith("-c") && !word.startsWith("--"));
		if (isOption && (name === "hooks" || LISTS.includes(name))) {
			overrides.push({ name, value: toText(written.slice(equals + 1)) });
			if (apart) at++;
		} else rest.push(word);
	}
	return { overrides, rest: [...rest, ...argv.slice(words.length)] };
}

const MATCHER = ".*";
const TIMEOUT = 10;

/** A string of TOML; JSON's escapes are among its own (TOML 1.0, String). */
const string = (text: string) => JSON.stringify(text);

/** The elements that a person gave a list; undefined when they cannot be read. */
function ownElements(overrides: readonly Override[], name: string): string[] | undefined {
	const value = overrides.findLast((one) => one.name === name)?.value;
	return name === STATE ? elementsOf(value ?? "{}", "{") : elementsOf(value ?? "[]", "[");
}

/** The overrides for the hook: a person's own entries first, so that the places by which they are trusted stay theirs. */
function hookOverrides(overrides: readonly Override[], command: string, floor: boolean): string[] | { wrong: string } {
	const whole = overrides.find(({ name }) => name === "hooks");
	if (whole) return { wrong: `-c hooks=... would take the place of our hook: write -c ${BEFORE.list}=[...] instead, and both run` };
	const unread = LISTS.find((name) => ownElements(overrides, name) === undefined);
	if (unread !== undefined) {
		const value = overrides.findLast(({ name }) => name === unread)?.value ?? "";
		return { wrong: `-c ${unread}=${quote(fromText(value))} cannot be read, and is to be put together with ours` };
	}
	const entry = `{matcher=${string(MATCHER)},hooks=[{type="command",command=${string(command)},timeout=${TIMEOUT}}]}`;
	const events = (floor ? [BEFORE, AFTER] : [BEFORE]).map((one) => ({ ...one, own: ownElements(overrides, one.list) ?? [] }));
	const trusted = events.map(({ event, own }) => {
		const hash = hashOf(MATCHER, { type: "command", command, timeout: TIMEOUT }, event) ?? "";
		return `${string(`/<session-flags>/config.toml:${event}:${own.length}:0`)}={trusted_hash=${string(hash)}}`;
	});
	// What a person says of the other list goes back where it was.
	const others = floor ? [] : overrides.filter(({ name }) => name === AFTER.list).map(({ name, value }) => `${name}=${value}`);
	return [
		...events.map(({ list, own }) => `${list}=[${[...own, entry].join(",")}]`),
		...others,
		`${STATE}={${[...(ownElements(overrides, STATE) ?? []), ...trusted].join(",")}}`,
		"features.hooks=true",
	];
}

/** A person may have told Codex to hand on no more than a few variables; these it needs. */
function shellOverrides({ bash, zsh, session }: Given): string[] {
	const variables = { BASH_ENV: bash, ZDOTDIR: zsh, ...session };
	const set = Object.entries(variables).map(([name, value]) => `shell_environment_policy.set.${name}=${string(toText(value))}`);
	return ["allow_login_shell=false", ...set];
}

/** Words by which a person switches all hooks off. */
function areOff(words: readonly Bytes[]): boolean {
	return words.some((word, at) => {
		if (word === "--disable") return words[at + 1] === "hooks" || words[at + 1] === "codex_hooks";
		return /^(-c=?|--config=)?features\.(codex_)?hooks\s*=\s*false$|^--disable=(codex_)?hooks$/.test(word);
	});
}

export const codex: AgentLaunch = {
	name: "codex",
	launch(given) {
		const taken = given.hook === undefined ? { overrides: [], rest: [...given.argv] } : takeOverrides(given.argv);
		const hook = given.hook === undefined ? [] : hookOverrides(taken.overrides, given.hook, given.floor);
		if ("wrong" in hook) return hook;
		const [program = "", ...words] = taken.rest;
		const ours = [...shellOverrides(given), ...hook].flatMap((override) => ["-c", fromText(override)]);
		const isOff = given.hook !== undefined && areOff(words);
		const off = "Codex is told to run no hooks: this session has the shims alone";
		// Only a shell of a tool call has it; a hook's shell reads BASH_ENV too.
		return {
			argv: [program, ...ours, ...words],
			confine: { variable: "CODEX_TOOL_CALL_ID" },
			hooked: !isOff,
			notes: isOff ? [off] : [],
		};
	},
};
