// What the shells that an agent starts would run under a guarded name: each is started as the agent does it, and asked.

import { spawnSync } from "node:child_process";
import { quoteWord } from "../../confine/words.ts";
import { type Bytes, quote, toText } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";
import { check, type Finding, type Patient } from "./check.ts";

type Problem = "passes" | "function" | "silent" | "beyond";
type Found = Finding & { advice?: Problem };

/** A shell that starts slower than this hangs. */
const TIMEOUT_MS = 10_000;

/** What an agent's shells are made of. */
interface Here {
	/** $SHELL, and the shell of the passwd entry. */
	shell: string;
	login: string;
	/** The text of the file that CLAUDE_ENV_FILE names. */
	claudeFile: string;
}

/** How an agent starts a shell for a command: what is shown of it, and the words. */
interface Form {
	shown: string;
	words(command: string, here: Here): string[];
	/** Nothing of ours is read there. */
	beyond?: true;
}

/** A function of Claude Code's shell snapshot stands before every command, with the functions of its own search tools. */
const SNAPSHOT = 'find() { command find "$@"; }\ngrep() { command grep "$@"; }';

const plain = (shown: string, ...before: string[]): Form => ({ shown, words: (command) => [...before, command] });
const ofShell: Form = { shown: "$SHELL -c", words: (command, { shell }) => [shell, "-c", command] };
/** Any agent may write this. */
const nested = plain("bash -lc", "bash", "-lc");
const bare = ["env", "-u", "BASH_ENV"] as const;

/** The forms of each agent, as its present version has them. */
const FORMS: Readonly<Record<string, readonly Form[]>> = {
	claude: [
		{
			shown: "$SHELL -c, behind a snapshot and CLAUDE_ENV_FILE,",
			words: (command, { shell, claudeFile }) => [shell, "-c", `${SNAPSHOT}\n${claudeFile}\n${command}`],
		},
		nested,
	],
	codex: [
		{ shown: "the login shell, -c,", words: (command, { login }) => [login, "-c", command] },
		{ shown: "the login shell, -lc,", words: (command, { login }) => [login, "-lc", command] },
		nested,
	],
	gemini: [plain("bash -c", "bash", "-c"), nested],
	// It takes BASH_ENV out of the environment.
	copilot: [
		plain("/bin/bash --norc --noprofile -c", ...bare, "/bin/bash", "--norc", "--noprofile", "-c"),
		{ ...plain("bash -lc", ...bare, "bash", "-lc"), beyond: true },
	],
	cursor: [ofShell, nested],
	opencode: [ofShell, nested],
};

/** Entries that stand for no shell at all (nologin(8), false(1)): then Codex takes bash. */
const NO_SHELL = /\/(nologin|false|true)$/;

/** The shell in a user's passwd entry (passwd(5)); $SHELL for a user of another database. */
function loginShell(system: System): string {
	const file = system.open("/etc/passwd");
	const entries = typeof file === "object" ? file.content.split("\n").map((line) => line.split(":")) : [];
	const entry = entries.find((fields) => fields[2] === String(system.uid()));
	const named = entry?.[6] ?? "";
	if (NO_SHELL.test(named)) return "/bin/bash";
	return toText(named || system.env("SHELL") || "/bin/sh");
}

function hereOf(system: System): Here {
	const file = system.env("CLAUDE_ENV_FILE");
	return {
		shell: toText(system.env("SHELL") || "/bin/bash"),
		login: loginShell(system),
		claudeFile: toText((file && system.read(file, 1 << 20)) || ""),
	};
}

/** What a shell of this form runs under each name, in their order; undefined when it does not answer. */
function asked(form: Form, names: readonly Bytes[], here: Here): Bytes[] | undefined {
	// What a profile prints comes before the mark.
	const command = `echo; echo =tmx=; for n in ${names.map((name) => quoteWord(toText(name))).join(" ")}; do command -v "$n" || echo; done`;
	const [program = "", ...words] = form.words(command, here);
	const { stdout, error } = spawnSync(program, words, { timeout: TIMEOUT_MS, encoding: "latin1", stdio: ["ignore", "pipe", "ignore"] });
	if (error || !stdout.includes("\n=tmx=\n")) return undefined;
	return stdout
		.slice(stdout.indexOf("\n=tmx=\n") + "\n=tmx=\n".length)
		.split("\n")
		.slice(0, names.length);
}

function nameFinding(system: System, shims: Bytes, name: Bytes, runs: Bytes, shown: string): Found | undefined {
	const subject = quote(name);
	if (runs === "") return { status: "fail", subject, found: `${shown} finds nothing`, advice: "passes" };
	if (!runs.startsWith("/"))
		return { status: "fail", subject, found: `${shown} runs a function or an alias: ${quote(runs)}`, advice: "function" };
	const isShim = system.identity(runs)?.id === system.identity(`${shims}/${name}`)?.id;
	return isShim ? undefined : { status: "fail", subject, found: `${shown} runs ${quote(runs)}`, advice: "passes" };
}

/** The names to ask for: those that have a shim. */
function namesOf({ system, choice, tools }: Patient): Bytes[] {
	return [...tools.keys()].filter((name) => choice.directory !== "" && system.kind(`${choice.directory}/${name}`, true) === "file").sort();
}

function formFindings({ system, choice }: Patient, agent: string, names: readonly Bytes[], form: Form, here: Here): Found[] {
	const all = asked(form, names, here);
	if (all === undefined) return [{ status: "fail", subject: agent, found: `${form.shown} does not answer`, advice: "silent" }];
	const wrong = names.flatMap((name, k) => nameFinding(system, choice.directory, name, all[k] ?? "", form.shown) ?? []);
	if (wrong.length === 0) return [{ status: "ok", subject: agent, found: `${form.shown} runs the shims: ${names.map(quote).join(" ")}` }];
	return form.beyond ? wrong.map((one) => ({ ...one, status: "warn", advice: "beyond" })) : wrong;
}

export const agentShell = check<Problem>({
	name: "agents' shells",
	advice: {
		passes: 'start the agent with "tmx wrap -- NAME": it puts the shims first in the shells that it starts',
		function: 'start the agent with "tmx wrap -- NAME": it takes functions and aliases of guarded names away',
		beyond: "behind a login shell's profile this agent lets nothing of ours be read: the hook sees such a command, the shims do not",
		silent: "see what the files that this shell reads do",
	},
	run(patient) {
		const names = namesOf(patient);
		if (names.length === 0 || patient.agents.length === 0) return [];
		const here = hereOf(patient.system);
		return patient.agents.flatMap(({ agent }) => {
			return (FORMS[agent] ?? [nested]).flatMap((form) => formFindings(patient, agent, names, form, here));
		});
	},
});
