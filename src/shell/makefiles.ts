// make and just with rules that the command line itself holds: the recipes of what would be made, as lines for a shell.

import type { Bytes } from "../policy/bytes.ts";

/** A rule. */
interface Rule {
	targets: Bytes[];
	needs: Bytes[];
	lines: Bytes[];
}

/** Rules as they are written, and what variables hold. */
export interface Rules {
	rules: Rule[];
	variables: Map<Bytes, Bytes>;
	/** Commands that run while the rules are read: `$(shell ...)`. */
	ran: Bytes[];
	/** Whether a recipe is one script. */
	whole: boolean;
}

const ASSIGNMENT = /^(?:export\s+|override\s+)*([\w.-]+)\s*(:{0,3}|[?+!])=\s*(.*)$/s;
const SHELL = /\$[({]shell\s+((?:[^()]|\([^()]*\))*)[)}]/g;
/** Words of make's own that begin a line and are no rule (GNU make, Conditionals, Include, Define). */
const OWN = /^\s*(?:ifn?eq|ifn?def|else|endif|-?s?include|define|endef|export|unexport|vpath|undefine)\b(?!\s*:)/;

/** What stands behind the colon of a rule: what it needs, and a recipe behind a semicolon. */
function ruleOf(targets: Bytes, behind: Bytes, expanded: (text: Bytes) => Bytes): Rule {
	const end = behind.indexOf(";");
	const names = (text: Bytes) =>
		expanded(text)
			.split(/[\s|:]+/)
			.filter((name) => name !== "");
	const needs = names(end < 0 ? behind : behind.slice(0, end));
	return { targets: names(targets), needs, lines: end < 0 ? [] : [behind.slice(end + 1)] };
}

/** Takes the text of a makefile apart (POSIX make, GNU make). @param given variables of the command line, which win */
export function readMakefile(text: Bytes, given: ReadonlyMap<Bytes, Bytes>, outer: (name: Bytes) => Bytes | undefined): Rules {
	const found: Rules = { rules: [], variables: new Map(given), ran: [], whole: /^\.ONESHELL\s*:/m.test(text) };
	const value = (name: Bytes) => found.variables.get(name) ?? outer(name);
	// A backslash at the end of a line goes on, in a recipe as a part of it.
	const own = text.replace(/^define\s+([\w.-]+)\s*[:?+]?=?\s*\n([\s\S]*?)\n?^endef\s*$/gm, (_, name: Bytes, body: Bytes) => {
		if (!given.has(name)) found.variables.set(name, body);
		return "";
	});
	const lines = own.replace(/\\\n(?!\t)[ ]*/g, " ").split(/(?<!\\)\n/);
	for (const line of lines) {
		if (line.startsWith("\t")) {
			found.rules.at(-1)?.lines.push(line.slice(1).replace(/\\\n\t/g, "\\\n"));
			continue;
		}
		const plain = line.replace(/(?<!\\)#.*$/s, "").trim();
		if (plain === "" || OWN.test(plain)) continue;
		for (const [, command = ""] of plain.matchAll(SHELL)) found.ran.push(expand(command, value));
		const [, name, how, text] = ASSIGNMENT.exec(plain) ?? [];
		if (name !== undefined) {
			if (given.has(name) || (how === "?" && value(name) !== undefined)) continue;
			found.variables.set(name, how === "+" ? `${value(name) ?? ""} ${text}` : (text as Bytes));
			continue;
		}
		const colon = /^([^:=]+?)\s*&?::?(?!=)(.*)$/s.exec(plain);
		if (colon !== null) found.rules.push(ruleOf(colon[1] as Bytes, colon[2] as Bytes, (each) => expand(each, value)));
	}
	return found;
}

/** How deep variables hold others. */
const DEEPEST = 8;

/**
 * A text as make hands it on: variables by their values, two dollars as one.
 * @param value what a variable holds; what is held by none is empty
 * @param hole what stands for a function of make's, whose value is not known
 */
export function expand(
	text: Bytes,
	value: (name: Bytes) => Bytes | undefined,
	hole: (source: Bytes) => Bytes = () => "",
	depth = 0,
): Bytes {
	return text.replace(/\$(?:\$|\(((?:[^()]|\([^()]*\))*)\)|\{([^{}]*)\}|(.))/gs, (source, round?: Bytes, curly?: Bytes, letter?: Bytes) => {
		if (source === "$$") return "$";
		const name = round ?? curly ?? letter ?? "";
		const command = /^shell\s+(.*)$/s.exec(name)?.[1];
		if (command !== undefined) return `$(${expand(command, value, hole, depth + 1)})`;
		if (!/^[\w.@<^*?+|%-]+$/.test(name) || depth > DEEPEST) return hole(source);
		return expand(value(name) ?? "", value, hole, depth + 1);
	});
}

/** The rules that are followed for what is asked for, or for what stands first. */
function followed({ rules, variables }: Rules, goals: readonly Bytes[]): Rule[] {
	const first = rules.flatMap(({ targets }) => targets).find((target) => !/^\.[A-Z_]+$|%/.test(target));
	const pending = goals.length > 0 ? [...goals] : [variables.get(".DEFAULT_GOAL") ?? first ?? ""];
	const found = new Set<Rule>();
	for (const name of pending) {
		for (const rule of rules) {
			if (found.has(rule) || !rule.targets.some((target) => target === name || target.includes("%") || target === ".DEFAULT")) continue;
			found.add(rule);
			pending.push(...rule.needs);
		}
	}
	return [...found];
}

/** The lines that a shell gets for what is asked for. */
export function recipesOf(
	found: Rules,
	goals: readonly Bytes[],
	outer: (name: Bytes) => Bytes | undefined,
	hole: (source: Bytes) => Bytes,
): Bytes[] {
	const lines = [...found.ran];
	for (const { targets, needs, lines: own } of followed(found, goals)) {
		// What a pattern stands for is a name of the project's.
		const target = (name: Bytes | undefined) => (name === undefined ? "" : name.includes("%") ? hole(name) : name);
		const automatic: Readonly<Record<Bytes, Bytes>> = {
			"@": target(targets[0]),
			"<": target(needs[0]),
			"^": needs.map(target).join(" "),
			"+": needs.map(target).join(" "),
			"?": needs.map(target).join(" "),
			"*": hole("$*"),
		};
		const value = (name: Bytes) => automatic[name] ?? found.variables.get(name) ?? outer(name);
		const expanded = own.map((line) => expand(line.replace(/^[\s@+-]+/, ""), value, hole));
		lines.push(...(found.whole ? [expanded.join("\n")] : expanded));
	}
	return lines;
}

/** The recipes of a justfile: indented lines below a name; `{{...}}` is for just itself (just(1)). */
export function justRecipes(text: Bytes, goals: readonly Bytes[], hole: (source: Bytes) => Bytes): Bytes[] {
	const found: Rules = { rules: [], variables: new Map(), ran: [], whole: false };
	for (const line of text.split("\n")) {
		const [, name, needs = ""] = /^@?([\w-]+)(?:\s[^:]*)?:(?!=)(.*)$/.exec(line) ?? [];
		if (/^\s+\S/.test(line)) found.rules.at(-1)?.lines.push(line.trim().replace(/^[@-]+/, ""));
		else if (name !== undefined)
			found.rules.push({ targets: [name], needs: needs.split(/[\s&()]+/).filter((each) => each !== ""), lines: [] });
	}
	const lines = followed(found, goals).flatMap((rule) => rule.lines);
	return lines.map((line) => line.replace(/\{\{(?!\{).*?\}\}/g, hole));
}
