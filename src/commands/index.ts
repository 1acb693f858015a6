// The subcommands by name, each loaded when it is called; what stands before the first `--` is ours, what follows is not.

import { compiled } from "#ffi";
import { didYouMean } from "../guardfile/nearest.ts";
import { fromText, quote, toText } from "../policy/bytes.ts";
import { EXIT, message } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";
import { VERSION } from "../version.ts";
import type { Command, Listed } from "./command.ts";

interface Row {
	/** One line for `tmx --help`, without a full stop. */
	summary: string;
	load(): Promise<{ default: Command }>;
}

/** Add a command: its file beside this one, and one line here. No prototype, so that `tmx constructor` is unknown. */
const COMMANDS: Readonly<Record<string, Row>> = Object.assign(Object.create(null), {
	wrap: { summary: "become a command, guarded for this session: tmx wrap -- codex", load: () => import("./wrap.ts") },
	allow: { summary: "let a session that runs change one directory more", load: () => import("./allow.ts") },
	build: { summary: "compile guardfiles into policy and shims", load: () => import("./build.ts") },
	check: { summary: "say what is wrong with guardfiles, and write nothing", load: () => import("./check.ts") },
	explain: { summary: "show the verdict that a call would get, and why", load: () => import("./explain.ts") },
	hook: {
		summary: "answer one event of a coding agent on standard input; --test tries the hook that is set up",
		load: () => import("./hook.ts"),
	},
	audit: { summary: "show which calls were judged, and how", load: () => import("./audit.ts") },
	doctor: { summary: "check that the guard stands here, and say what to do where it does not", load: () => import("./doctor.ts") },
	floor: { summary: "show what may be written under the kernel's floor, or become a command under it", load: () => import("./floor.ts") },
	ps: { summary: "show the scopes of tool shells", load: () => import("./ps.ts") },
	kill: { summary: "end tool shells' scopes with all that is in them", load: () => import("./kill.ts") },
	monitor: { summary: "stop empty scopes, and those over a threshold that is set", load: () => import("./monitor.ts") },
	confine: { summary: "print the fragment that confines tool shells", load: () => import("./confine.ts") },
	install: {
		summary: "set tmx up for every session: shims, agents' hooks, limits, the monitor, snapshots' lines",
		load: () => import("./install.ts"),
	},
	uninstall: { summary: "take away what install laid down", load: () => import("./uninstall.ts") },
	completions: { summary: "print what completes command lines of tmx in a shell", load: () => import("./completions.ts") },
	shadow: {
		summary: "show, release and reap the shadows of sessions; nothing goes that is committed nowhere else",
		load: () => import("./shadow.ts"),
	},
	help: { summary: "show a page about a topic; --man prints the manual page", load: () => import("./help.ts") },
} satisfies Record<string, Row>);

/** The names of all commands. */
export const names: readonly string[] = Object.keys(COMMANDS);

/** What `tmx --help` says; nothing is loaded for it. */
function overview(): string {
	const width = Math.max(...names.map((name) => name.length));
	const rows = names.map((name) => `  ${name.padEnd(width)}  ${COMMANDS[name]?.summary}`);
	return [
		"tmx keeps coding agents from damaging the machine that they work on.",
		"",
		"usage: tmx COMMAND [OPTION...] [OPERAND...]",
		"",
		...rows,
		"",
		"To begin: `tmx wrap -- COMMAND` becomes COMMAND, and what it starts may change this checkout and nothing else.",
		"`tmx COMMAND --help` explains a command; `tmx --version` prints the version.",
		"",
	].join("\n");
}

/** A wrong command line: the message, and where help is. */
function wrong(system: System, name: string, words: string): number {
	const help = name === "tmx" ? "tmx --help" : `tmx ${name} --help`;
	system.write(2, fromText(message(name, "user_error", `${words}; see "${help}"`)));
	return EXIT.user_error;
}

/** Our own words: argv without what the kernel and a runtime put in front. */
function ownWords(system: System): string[] {
	return system.argv.slice(compiled ? 1 : system.argv.findIndex((word) => word.endsWith("main.ts")) + 1);
}

/** All commands with what they take. */
function catalogue(): Promise<Listed[]> {
	return Promise.all(
		Object.entries(COMMANDS).map(async ([name, { summary, load }]) => ({ name, summary, command: (await load()).default })),
	);
}

async function runNamed(system: System, name: string, row: Row, words: string[], rest: string[] | undefined): Promise<number> {
	const command = (await row.load()).default;
	const { readWords } = await import("./options.ts");
	const read = readWords(words, command);
	if ("help" in read) {
		const { usage } = await import("./usage.ts");
		system.write(1, fromText(await usage(system, name, row.summary, command)));
		return EXIT.ok;
	}
	if ("wrong" in read) return wrong(system, name, read.wrong);
	if (rest !== undefined && command.rest === undefined) return wrong(system, name, 'takes no "--"');
	const { runCommand } = await import("citty");
	const data = { system, operands: read.operands, values: read.values, rest, catalogue };
	const { result } = await runCommand(command.citty, { rawArgs: [...read.options, "--", ...read.operands], data });
	return result as number;
}

/** The command that "tmx help COMMAND" asks for; a page of that name comes first. */
async function helpFor(name: string, words: string[]): Promise<Row | undefined> {
	const [about, ...more] = words;
	if (name !== "help" || about === undefined || more.length > 0 || !COMMANDS[about]) return undefined;
	const { PAGES } = await import("./help/pages.ts");
	return PAGES[about] ? undefined : COMMANDS[about];
}

/** Run the command line; the number is the exit status. */
export async function main(system: System): Promise<number> {
	const argv = ownWords(system);
	const dashes = argv.indexOf("--");
	const [name, ...words] = (dashes < 0 ? argv : argv.slice(0, dashes)).map(toText);
	const rest = dashes < 0 ? undefined : argv.slice(dashes + 1);
	if (name === undefined) {
		wrong(system, "tmx", "no command is given");
		system.write(2, overview());
		return EXIT.user_error;
	}
	if (name === "--version" || name === "-v") system.write(1, `tmx ${VERSION}\n`);
	else if (name === "--help" || name === "-h") system.write(1, overview());
	else {
		const about = await helpFor(name, words);
		if (about) return runNamed(system, words[0] ?? "", about, ["--help"], undefined);
		const row = COMMANDS[name];
		if (row) return runNamed(system, name, row, words, rest);
		const kind = name.startsWith("-") ? "option" : "command";
		const known = kind === "option" ? ["--help", "--version"] : names;
		return wrong(system, "tmx", `unknown ${kind} ${quote(fromText(name))}${didYouMean(name, known)}`);
	}
	return EXIT.ok;
}
