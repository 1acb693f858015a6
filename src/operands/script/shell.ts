// What the text of a shell script acts on: its commands in their order, with the directories and variables that they would have.

import type { Bytes } from "../../policy/bytes.ts";
import type { Operand } from "../../policy/call.ts";
import { baseOf, type Resolver } from "../../policy/resolve.ts";
import { type Act, actOf, type Site, within } from "../run/act.ts";
import { fed, handedOn, printedText } from "./output.ts";
import { parseScript } from "./parser.ts";
import type { Command, List, Redirection } from "./syntax.ts";
import { argvsOf, fieldsOf, type Scope, UNKNOWN } from "./words.ts";

/** What a shell knows while it runs. */
interface State {
	/** The directories that it may stand in; none when nobody can know. */
	looks: readonly Resolver[];
	before: readonly Resolver[];
	variables: Map<string, readonly Bytes[]>;
	exported: Set<string>;
	args: readonly Bytes[];
	/** The lines on standard input, where they are known. */
	input: readonly Bytes[] | undefined;
}

/** How deep functions may call each other, and how many directories and values are kept apart. */
const MOST_CALLS = 8;
const MOST_PLACES = 8;
const MOST_VALUES = 32;
/** How often a loop goes round that changes where it stands, or its parameters. */
const MOST_ROUNDS = 32;
/** How many commands of one script are followed. */
const MOST_STEPS = 2000;

/** How a script judges the commands that it runs. */
type Runs = (argv: Bytes[], site: Site) => Act[];

const TOO_LONG: Operand = { text: "sh", role: "written", leaf: "entry", unknowable: "its script does too much to be followed" };

const WRITING = [">", ">>", ">|", "<>", "&>", "&>>", ">&"];
const ASSIGNS = ["export", "local", "declare", "typeset", "readonly"];
/** Commands that put what they read into variables. */
const FILLS = ["read", "mapfile", "readarray", "getopts", "let"];

/** Shells that take their commands from standard input when no word names a script. */
const SHELLS = ["sh", "bash", "dash", "zsh", "ksh"];

/** Variables that a shell sets itself. */
const OWN = /^(RANDOM|SECONDS|LINENO|UID|EUID|PPID|HOSTNAME|HOSTTYPE|OSTYPE|MACHTYPE|BASH\w*|REPLY|SHLVL|PIPESTATUS|FUNCNAME|_)$/;

const distinct = (looks: readonly Resolver[]) => {
	return looks.filter((look, k) => looks.findIndex(({ cwd }) => cwd === look.cwd) === k).slice(0, MOST_PLACES);
};

const join = (lists: readonly (readonly Bytes[])[]) => [...new Set(lists.flat())].slice(0, MOST_VALUES);

const copyOf = (state: State): State => ({
	...state,
	variables: new Map(state.variables),
	exported: new Set(state.exported),
});

class Shell {
	readonly acts: Act[] = [];
	readonly #functions = new Map<Bytes, Command>();
	#depth = 0;
	#steps = 0;

	constructor(
		readonly site: Site,
		readonly runs: Runs,
	) {}

	list(list: List, state: State): void {
		for (const { commands, alone } of list) {
			let { input } = state;
			for (const command of commands) {
				const inner = alone ? state : { ...copyOf(state), input };
				this.#command(command, inner);
				input = this.#handedOn(command, inner);
			}
		}
	}

	#handedOn(command: Command, state: State): readonly Bytes[] | undefined {
		const [look] = this.#looks(state);
		if (command.is !== "simple" || look === undefined) return undefined;
		return handedOn(this.#argv(command, state, look), state.input);
	}

	#command(command: Command, state: State): void {
		if (this.#isTooLong()) return;
		const before = state.input;
		this.#redirections(command.redirections, state);
		this.#inside(command, state);
		state.input = before;
	}

	/** Whether more is done than can be followed; the first time says so. */
	#isTooLong(): boolean {
		if (++this.#steps === MOST_STEPS) this.acts.push(actOf(["sh"], [TOO_LONG], this.site));
		return this.#steps >= MOST_STEPS;
	}

	#inside(command: Command, state: State): void {
		if (command.is === "simple") this.#simple(command, state);
		else if (command.is === "group") this.list(command.body, command.subshell ? copyOf(state) : state);
		else if (command.is === "branches") this.#branches(command, state);
		else if (command.is === "for") this.#for(command, state);
		else this.#functions.set(command.name, command.body);
	}

	#scope(state: State, look: Resolver, args = state.args): Scope {
		const { call } = this.site;
		return {
			args,
			look,
			home: this.#value("HOME", state, look)?.[0] ?? call.env("HOME"),
			value: (name) => this.#value(name, state, look),
			output: (list) => this.#output(list, state, look),
		};
	}

	#value(name: Bytes, state: State, look: Resolver): readonly Bytes[] | undefined {
		if (name === "PWD") return [look.directory(".") || "."];
		if (/^[1-9]\d*$/.test(name)) return [state.args[Number(name) - 1] ?? ""];
		if (name === "@" || name === "*") return [state.args.join(" ")];
		if (/^[#?!$-]$/.test(name) || (OWN.test(name) && !state.variables.has(name))) return undefined;
		if (name === "OLDPWD" && state.before.length > 0) return state.before.map((before) => before.directory(".") || ".");
		return state.variables.has(name) ? state.variables.get(name) : [this.site.call.env(name)];
	}

	/** What a substitution prints, where that is known. */
	#output(list: List, state: State, look: Resolver): Bytes {
		this.list(list, { ...copyOf(state), looks: [look] });
		return this.#printed(list, state, look);
	}

	/** What the commands print that take names apart. */
	#printed(list: List, state: State, look: Resolver): Bytes {
		const [only, ...more] = list;
		const command = only?.commands[0];
		if (command?.is !== "simple" || more.length > 0 || only?.commands.length !== 1) return list.length === 0 ? "" : UNKNOWN;
		return printed(this.#argv(command, state, look), look);
	}

	/** The first reading of a command's words, without running again what its words run. */
	#argv(command: Command & { is: "simple" }, state: State, look: Resolver): Bytes[] {
		const quiet = { ...this.#scope(state, look), output: (list: List) => this.#printed(list, state, look) };
		return argvsOf(command.words, quiet)[0] ?? [];
	}

	/** The directories that it may stand in. Where nobody knows that, its relative names lead nowhere that can be judged. */
	#looks({ looks }: State): readonly Resolver[] {
		return looks.length > 0 ? looks : [this.site.look.from(`/${UNKNOWN}`)];
	}

	#redirections(redirections: readonly Redirection[], state: State): void {
		for (const { operator, target } of redirections) {
			for (const look of this.#looks(state)) {
				for (const [text = ""] of fieldsOf(target, this.#scope(state, look), false)) {
					if (operator.startsWith("<<")) state.input = text.split("\n").filter((line) => line !== "");
					if (!WRITING.includes(operator) || (operator === ">&" && /^(\d+-?|-)$/.test(text))) continue;
					const operand: Operand = { text, role: "written", leaf: "target", note: "named in the script" };
					this.acts.push(actOf(["sh"], [operand], within(this.site, look)));
				}
			}
		}
	}

	#simple(command: Command & { is: "simple" }, state: State): void {
		const own = new Map<string, readonly Bytes[]>();
		for (const look of this.#looks(state)) {
			const scope = this.#scope(state, look);
			for (const { name, values } of command.assignments) {
				own.set(name, join([own.get(name) ?? [], ...values.flatMap((value) => fieldsOf(value, scope, values.length > 1))]));
			}
			for (const argv of argvsOf(command.words, scope)) if (argv.length > 0) this.#call(argv, own, state, look);
		}
		if (command.words.length === 0) for (const [name, values] of own) state.variables.set(name, values);
	}

	/** Run one command in one directory. */
	#call(argv: Bytes[], own: ReadonlyMap<string, readonly Bytes[]>, state: State, look: Resolver): void {
		if (this.#isTooLong()) return;
		const [name = "", ...words] = argv;
		const body = this.#functions.get(name);
		if (body !== undefined) {
			if (this.#depth++ < MOST_CALLS) {
				const inner = { ...state, args: words };
				this.#command(body, inner);
				Object.assign(state, { ...inner, args: state.args });
			}
			this.#depth--;
		} else if (!this.#builtin(name, words, state, look)) this.#run(argv, this.#inner(own, state, look), state);
	}

	/** A program, with what it takes from its input: paths, or commands. */
	#run(argv: Bytes[], site: Site, { input }: State): void {
		const name = baseOf(argv[0] ?? "");
		if (input !== undefined && (name === "xargs" || name === "parallel")) {
			for (const whole of fed(argv, input)) this.acts.push(...this.runs(whole, site));
		} else if (input !== undefined && SHELLS.includes(name) && argv.slice(1).every((word) => /^-/.test(word))) {
			this.acts.push(...this.runs([name, "-c", input.join("\n")], site));
		} else this.acts.push(...this.runs(argv, site));
	}

	#inner(own: ReadonlyMap<string, readonly Bytes[]>, state: State, look: Resolver): Site {
		const set = new Map([...state.variables].filter(([name]) => state.exported.has(name)));
		for (const [name, values] of own) set.set(name, values);
		return within(this.site, look, new Map([...set].map(([name, values]) => [name, values[0] ?? ""])));
	}

	/** Commands of the shell itself; false when it is none of those that matter here. */
	#builtin(name: Bytes, words: Bytes[], state: State, look: Resolver): boolean {
		if (name === "cd" || name === "pushd") this.#enter(words, state, look);
		else if (name === "popd") state.looks = state.before;
		else if (name === "eval") this.#text(words.join(" "), state, look);
		else if (name === "trap") this.#text(words.find((word) => !word.startsWith("-")) ?? "", state, look);
		else if (name === "." || name === "source") return true;
		else if (name === "unset") for (const word of words) state.variables.set(word, [""]);
		else if (name === "set") {
			const start = words.indexOf("--");
			if (start >= 0) state.args = words.slice(start + 1);
		} else if (name === "shift") state.args = state.args.slice(Number(words[0] ?? 1) || 1);
		else if (ASSIGNS.includes(name)) this.#assign(name, words, state);
		else if (FILLS.includes(name)) this.#fill(words, state);
		return [...ASSIGNS, ...FILLS, "cd", "pushd", "popd", "eval", "trap", "set", "shift", "unset"].includes(name);
	}

	#fill(words: Bytes[], state: State): void {
		const read = state.input?.flatMap((line) => [line, ...(words.length > 1 ? line.split(/\s+/) : [])]);
		for (const word of words) if (/^[A-Za-z_]\w*$/.test(word)) state.variables.set(word, join([read ?? [UNKNOWN]]));
	}

	#assign(name: Bytes, words: Bytes[], state: State): void {
		for (const word of words) {
			const [, variable, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(word) ?? [];
			if (variable === undefined) continue;
			if (value !== undefined) state.variables.set(variable, [value]);
			if (name !== "local" && name !== "readonly") state.exported.add(variable);
		}
	}

	#enter(words: Bytes[], state: State, look: Resolver): void {
		const target = words.find((word) => !/^-[PLe@n-]/.test(word)) ?? this.#value("HOME", state, look)?.[0] ?? "";
		const old = state.before;
		const others = state.looks.filter((other) => other !== look);
		if (target === "-") {
			state.before = [look];
			state.looks = old;
		} else if (target !== "") {
			const unknown = target.includes(UNKNOWN);
			state.before = [look];
			// Where the directory is not there yet, the shell may stay where it is.
			const stays = !unknown && !target.includes("{}") && !look.isDirectory(target);
			const next = unknown ? [] : [look.from(look.directory(target)), ...(stays ? [look] : [])];
			state.looks = distinct([...others, ...next]);
		}
	}

	#text(text: Bytes, state: State, look: Resolver): void {
		const list = parseScript(text);
		if (list === undefined) this.acts.push(...this.runs(["sh", "-c", text], within(this.site, look)));
		else if (this.#depth > MOST_CALLS) this.acts.push(actOf(["sh"], [TOO_LONG], this.site));
		else {
			this.#depth++;
			const inner = { ...state, looks: [look] };
			this.list(list, inner);
			state.looks = distinct([...state.looks.filter((other) => other !== look), ...inner.looks]);
			this.#depth--;
		}
	}

	/** Lists of which each may be run: afterwards everything that one of them leaves behind may be so. */
	#branches({ lists, loop }: Command & { is: "branches" }, state: State): void {
		const [condition = [], ...rest] = lists;
		this.list(condition, state);
		for (const list of rest) {
			const branch = copyOf(state);
			if (loop) this.#rounds([...list, ...condition], branch);
			else this.list(list, branch);
			this.#join(state, branch);
		}
	}

	#join(state: State, branch: State): void {
		state.looks = distinct([...state.looks, ...branch.looks]);
		state.before = distinct([...state.before, ...branch.before]);
		for (const [name, values] of branch.variables) {
			state.variables.set(name, join([state.variables.get(name) ?? [], values]));
		}
		for (const name of branch.exported) state.exported.add(name);
	}

	/** A loop goes round as long as that makes a difference. */
	#rounds(body: List, state: State): void {
		const shown = () => [...state.looks.map(({ cwd }) => cwd), ...state.args].join("\0");
		let before: string;
		let rounds = 0;
		do {
			before = shown();
			this.list(body, state);
		} while (shown() !== before && ++rounds < MOST_ROUNDS);
	}

	#for({ name, words, body }: Command & { is: "for" }, state: State): void {
		const [look = this.site.look] = this.#looks(state);
		const all = words === undefined ? [...state.args] : argvsOf(words, this.#scope(state, look)).flat();
		const values = all.length > MOST_VALUES ? [...new Set(all)].slice(0, MOST_VALUES) : all;
		for (const value of values) {
			state.variables.set(name, [value]);
			// One word that nobody knows may be many.
			if (value.includes(UNKNOWN)) this.#rounds(body, state);
			else this.list(body, state);
		}
	}
}

/** What a command prints that takes a name apart; the mark of the unknown for others. */
function printed(argv: Bytes[], look: Resolver): Bytes {
	const [name = "", ...words] = argv;
	const operands = words.filter((word) => !/^-[a-z-]/.test(word));
	const [first = UNKNOWN, suffix = ""] = operands;
	if (first.includes(UNKNOWN) && /^(basename|dirname|realpath|readlink)$/.test(baseOf(name))) return UNKNOWN;
	switch (baseOf(name)) {
		case "pwd":
			return look.directory(".") || ".";
		case "basename": {
			const base = baseOf(first);
			return suffix !== "" && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
		}
		case "dirname": {
			const text = first.replace(/(?<=.)\/+$/, "");
			const slash = text.lastIndexOf("/");
			return slash < 0 ? "." : text.slice(0, slash).replace(/\/+$/, "") || "/";
		}
		case "realpath":
		case "readlink":
			return look.target(first) || UNKNOWN;
		default:
			return printedText(argv)?.replace(/\n+$/, "") ?? UNKNOWN;
	}
}

/**
 * What a script acts on.
 * @param args its positional parameters, $0 first
 * @returns undefined where its text is not understood
 */
export function scriptActs(text: Bytes, args: readonly Bytes[], site: Site, runs: Runs): Act[] | undefined {
	const list = parseScript(text);
	if (list === undefined) return undefined;
	const shell = new Shell(site, runs);
	const variables = new Map<string, readonly Bytes[]>([["0", [args[0] ?? ""]]]);
	shell.list(list, { looks: [site.look], before: [], variables, exported: new Set(), args: args.slice(1), input: undefined });
	return shell.acts;
}
