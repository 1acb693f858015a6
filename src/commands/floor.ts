// tmx floor: what may be written under the floor, shown, asked for a path, learned from a command, or put in force for one.

import { floorOf } from "../floor/floor.ts";
import { readyFloor } from "../launch/floor/ready.ts";
import { type Ground, groundHere, wishFor } from "../launch/floor/wish.ts";
import { baseFor } from "../launch/policy.ts";
import { programOf } from "../launch/program.ts";
import { rootsFor } from "../launch/roots.ts";
import { type Bytes, fromText, quote } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import { HISTORY } from "../sys/landlock.ts";
import { EACCES, ENOENT, type System } from "../sys/system.ts";
import { command, fail, print } from "./command.ts";
import { answers } from "./floor/answer.ts";
import { learn, linesText } from "./floor/learn.ts";
import { floorData, floorText } from "./floor/show.ts";
import { note } from "./note.ts";
import { policyOption } from "./policy-words.ts";
import { screenOf } from "./screen.ts";

/** What the command line asks for. */
interface Asked {
	ground: Ground;
	floor: ReturnType<typeof floorOf>;
}

const wrong = (system: System, words: string) => fail(system, "floor", "user_error", words);

/** Become a command under the floor. */
function become(system: System, { ground, floor }: Asked, words: Bytes[], required: boolean): number {
	const program = programOf(system, words[0] ?? "", system.env("PATH"));
	if ("missing" in program) return fail(system, "floor", program.missing, program.why);
	const say = (text: string) => note(system, "floor", text);
	const ready = readyFloor(system, floor, ground.abi, required, say);
	if ("refused" in ready) return fail(system, "floor", "internal", `${ready.refused}; ${quote(words[0] ?? "")} was not started`);
	ready.notes.forEach(say);
	const around = ready.around(program.path, words);
	const error = system.become(around.path, 0, around.words, ready.last);
	if (error === 0) return EXIT.internal;
	if (error === ENOENT)
		return fail(system, "floor", "not_found", `${quote(program.path)} cannot be executed: its interpreter does not exist`);
	const why = error === EACCES ? "permission denied" : `error ${error}`;
	return fail(system, "floor", "not_runnable", `${quote(program.path)} cannot be executed: ${why}`);
}

function showTest(system: System, { floor }: Asked, paths: Bytes[], json: boolean): number {
	const said = answers(system, floor, paths);
	print(system, json ? `${JSON.stringify(said.data)}\n` : said.text(screenOf(system)));
	return said.open ? EXIT.ok : EXIT.policy_denied;
}

async function showLearned(system: System, { floor }: Asked, words: Bytes[]): Promise<number> {
	const learned = await learn(system, floor, words);
	if ("failure" in learned) return fail(system, "floor", learned.failure, learned.why);
	print(system, linesText(learned.lines));
	if (learned.status !== 0) note(system, "floor", `the command ended with status ${learned.status}, so there may be more that it needs`);
	return EXIT.ok;
}

/** The version that `--abi` names; a text when it is none. */
function limitOf(text: string | undefined): number | undefined | string {
	if (text === undefined) return undefined;
	const number = /^\d{1,2}$/.test(text) ? Number(text) : -1;
	const newest = HISTORY.at(-1)?.abi ?? 0;
	return number < 0 ? `--abi ${quote(fromText(text))} is no version of Landlock; known are 0 to ${newest}` : number;
}

/** Options that go together with others only. */
function misfit(args: Readonly<Record<string, unknown>>, operands: number, rest: readonly Bytes[] | undefined): string | undefined {
	const modes = [args.show && "--show", args.test && "--test", args.learn && "--learn"].filter(
		(mode) => mode !== undefined && mode !== false,
	);
	if (modes.length > 1) return `${modes.join(" and ")} ask for different things`;
	if (args.test && operands === 0) return "--test needs PATH...";
	if (!args.test && operands > 0) return 'paths go with --test, and a command stands after "--"';
	if (args.learn && (rest === undefined || rest.length === 0)) return '--learn needs a command after "--"';
	if (rest !== undefined && rest.length === 0) return 'no command stands after "--"';
	if (rest !== undefined && args.test) return "--test takes no command";
	if (args.json && rest !== undefined && !args.show) return "--json goes with --show and --test";
	return args.require && (rest === undefined || modes.length > 0) ? '--require goes with a command after "--" alone' : undefined;
}

export default command({
	args: {
		show: { type: "boolean", description: "list the places that may be written, each with its reason (the default)" },
		all: { type: "boolean", description: "with --show: also the places that are not there" },
		test: { type: "boolean", description: "say what a process under the floor could do with each PATH" },
		learn: { type: "boolean", description: "run COMMAND without a floor under strace, and print the lines that it would need" },
		require: { type: "boolean", description: "do not start COMMAND unless the floor is full" },
		root: {
			type: "string",
			valueHint: "DIR",
			description: "a directory that may be changed, repeatable (default: the git checkout, else this one)",
		},
		...policyOption,
		abi: {
			type: "string",
			valueHint: "N",
			description: "act as if the kernel knew no newer version of Landlock than N (to try things out)",
		},
		json: { type: "boolean", description: "with --show or --test: print JSON" },
	},
	lists: ["root"],
	operands: { name: "PATH...", description: "with --test: paths to ask about", least: 0, most: Number.POSITIVE_INFINITY, choices: "file" },
	rest: { name: "COMMAND [ARG...]", description: "what to become under the floor" },
	run({ system, args, operands, values, rest }) {
		const bad = misfit(args, operands.length, rest);
		if (bad !== undefined) return wrong(system, bad);
		const limit = limitOf(args.abi);
		if (typeof limit === "string") return wrong(system, limit);
		const given = (values.get("root") ?? []).map(fromText);
		const roots = rootsFor(system, given, []);
		if ("wrong" in roots) return wrong(system, roots.wrong);
		const base = baseFor(system, args.policy === undefined ? undefined : fromText(args.policy));
		if ("unusable" in base) return wrong(system, base.unusable);
		const ground = groundHere(system, limit);
		const own = roots.roots.map(({ real }) => real);
		const wish = wishFor(system, base, own, rest?.[0] ?? "", ground, "");
		if ("unusable" in wish) return fail(system, "floor", "internal", wish.unusable);
		const asked = { ground, floor: floorOf(system, wish) };
		if (args.learn) return showLearned(system, asked, rest ?? []);
		if (args.test) return showTest(system, asked, operands.map(fromText), args.json === true);
		if (rest !== undefined && !args.show) return become(system, asked, rest, args.require === true);
		print(system, args.json ? `${JSON.stringify(floorData(asked.floor))}\n` : floorText(asked.floor, screenOf(system), args.all === true));
		return EXIT.ok;
	},
});
