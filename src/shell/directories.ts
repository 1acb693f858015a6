// cd, pushd and popd: where the shell stands afterwards, or that nobody knows.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf, isBelow, join, parentOf } from "../policy/resolve.ts";
import { type Call, letters } from "./call.ts";
import type { Machine } from "./machine.ts";
import { absolutes, from, normal } from "./places.ts";
import { onlyReads } from "./readers.ts";
import type { Word } from "./reading.ts";
import { type Directories, type Outcome, type State, stranded } from "./state.ts";
import { held } from "./variables.ts";
import { beginning, isNothing, known, textOf } from "./words.ts";
import type { World } from "./world.ts";

/** Where a directory's name leads as chdir(2) takes it (`env -C`, `cd -P`), whether or not it exists: `..` leaves a link's target. */
export function moved(m: Machine, state: State, word: Word): Directories {
	const text = textOf(word);
	m.step();
	if (text === undefined) return [];
	const asked = text.startsWith("/") ? [text] : state.cwd.map((directory) => `${directory}/${text}`);
	return [...new Set(asked.map((path) => m.around.files.real(path, true) || normal(path)))];
}

/** Where the shell looks for a name: in the directories of CDPATH, and then here (bash(1), cd). undefined when that is not known. */
function searched(m: Machine, state: State, text: Bytes): Bytes[][] | undefined {
	if (text.startsWith("/")) return [[from("/", text)]];
	const here = state.cwd.map((directory) => from(directory, text));
	if (/^\.{0,2}(\/|$)/.test(text)) return [here];
	const value = held(m, state, "CDPATH");
	if (value.kind === "unset" || (value.kind === "word" && value.word.pieces.every((piece) => typeof piece !== "string" && piece.unset)))
		return [here];
	const path = value.kind === "word" ? textOf(value.word) : undefined;
	return path
		?.split(":")
		.map((entry) => state.cwd.map((directory) => from(from(directory, entry), text)))
		.concat([here]);
}

/** Tools that take away what their operands name. */
const TAKERS = ["rm", "rmdir", "unlink", "mv"];

/** Tools that write, and make no directory. */
const NO_MAKERS = "touch tee chmod chown chgrp truncate dd sed sort curl wget patch kill pkill sleep wait".split(" ");

/** Tools that make nothing but what their operands name. */
const COPIERS = ["cp", "install", "rsync", "ln"];

/** What a copy or a link may put where something was taken away, or where a link leads to a directory. */
function broughtBack({ m, state, words }: Call): void {
	const { gone, thinned } = m.world;
	for (const word of words.slice(1)) {
		const text = textOf(word);
		// A link brings no directory.
		const brings = textOf(words[0]) !== "ln";
		if (text === undefined && brings) gone.clear();
		for (const path of brings ? moved(m, state, word) : [])
			for (const kind of [gone, thinned])
				for (const each of kind) if (path === each || isBelow(path, each) || isBelow(each, path)) kind.delete(each);
		// Another link may stand there, and lead elsewhere.
		for (const path of absolutes(state, text)) if (m.around.files.readlink(path) !== undefined) gone.add(entry(m, path));
	}
}

/** What a call may take away, or makes again: where a directory is gone, `cd` leaves the shell where it stands. */
export function tookAway({ m, state, words }: Call): void {
	const tool = baseOf(textOf(words[0]) ?? "");
	if (tool === "find") {
		if (!words.some((word) => /^-(delete|exec|execdir|ok|okdir)$/.test(textOf(word) ?? ""))) return;
		for (const word of words.slice(1)) {
			if (/^[-(!]/.test(beginning(word))) break;
			for (const path of moved(m, state, word)) m.world.thinned.add(path);
		}
	}
	const takes = TAKERS.includes(tool);
	if (!takes && tool !== "mkdir") {
		if (COPIERS.includes(tool)) broughtBack({ m, state, words });
		// A build, an unpacked archive: whoever goes there afterwards counts on it.
		else if (!onlyReads(words) && tool !== "find" && !NO_MAKERS.includes(tool))
			for (const kind of ["gone", "thinned"] as const) m.world[kind].clear();
		return;
	}
	for (const word of words.slice(1)) {
		if (beginning(word).startsWith("-")) continue;
		if (textOf(word) !== undefined) {
			for (const path of moved(m, state, word)) m.world[takes ? "gone" : "remade"].add(path);
			// The name itself goes where it is a link's.
			if (takes) for (const path of absolutes(state, textOf(word))) m.world.gone.add(entry(m, path));
		}
		// A name that begins with a directory and goes on unknown, as `*` does.
		else if (!takes) continue;
		else if (beginning(word) === "" || beginning(word).includes("/")) {
			const above = beginning(word).slice(0, beginning(word).lastIndexOf("/") + 1) || ".";
			for (const path of moved(m, state, known(above))) m.world.thinned.add(path);
		}
	}
}

/** A name in the real path of its directory. */
const entry = (m: Machine, path: Bytes): Bytes => join(m.around.files.real(parentOf(path), true) || parentOf(path), baseOf(path));

function mayBeGone({ gone, thinned, remade }: World, path: Bytes): boolean {
	if ([...remade].some((each) => path === each || isBelow(each, path))) return false;
	return [...gone].some((each) => path === each || isBelow(path, each)) || [...thinned].some((each) => isBelow(path, each));
}

/** Whether no command of this line may have taken a path away. */
export const isStill = (m: Machine, path: Bytes): boolean =>
	!mayBeGone(m.world, m.around.files.real(path, true) || path) && !mayBeGone(m.world, entry(m, path));

/** Whether a directory is there: yes, no, or perhaps since something ran that could have made it or taken it away. */
function exists(m: Machine, path: Bytes): boolean | undefined {
	if (m.around.files.kind(path, true) === "directory")
		return mayBeGone(m.world, m.around.files.real(path, true) || path) || mayBeGone(m.world, entry(m, path)) ? undefined : true;
	return m.world.made ? undefined : false;
}

/** Whether a directory is not there yet, and something ran that could have made it: who goes there counts on it. */
const isExpected = (m: Machine, path: Bytes): boolean => m.around.files.kind(path, true) !== "directory" && m.world.made;

/** Where a shell that went astray before goes with the others. */
function strayed(m: Machine, state: State, text: Bytes): Directories {
	if (text.startsWith("/")) return [];
	const asked = state.astray.map((directory) => ({ directory, path: from(directory, text) }));
	return [...new Set(asked.map(({ directory, path }) => (exists(m, path) === false ? directory : path)))];
}

/** The state of a shell that has moved. */
function into(state: State, cwd: Directories): State {
	const there = state.fork();
	there.cwd = cwd;
	there.astray = [];
	there.strays = false;
	there.homeward = undefined;
	there.forked ||= cwd.length > 1;
	there.oldCwd = state.cwd;
	return there;
}

/** What becomes of a shell that tries to go to `word`. */
function go(m: Machine, state: State, word: Word, physical: boolean): Outcome {
	const text = textOf(word);
	if (text === undefined || text === "") return { ok: into(state, []), bad: state };
	if (!text.startsWith("/") && state.cwd.length === 0) return { ok: into(state, []), bad: state };
	const really = physical || state.options.has("physical");
	const places = searched(m, state, text);
	if (places === undefined) return { ok: into(state, []), bad: state };
	const yes: Bytes[] = [];
	let cannot = true;
	let expected = true;
	for (const [k, place] of places.entries()) {
		if (!cannot) break;
		cannot = false;
		const paths = really && k === places.length - 1 ? moved(m, state, word) : place;
		for (const path of paths) {
			m.step();
			const there = exists(m, path);
			if (there !== false) yes.push(really ? m.around.files.real(path, true) || path : path);
			cannot ||= there !== true;
			expected &&= there === true || isExpected(m, path);
		}
	}
	const ok = yes.length > 0 ? into(state, [...new Set(yes)]) : undefined;
	if (ok !== undefined && state.astray.length > 0) ok.astray = strayed(m, state, text);
	return { ok, bad: cannot ? (expected && ok !== undefined ? stranded(state) : state) : undefined };
}

/** cd. */
export function cd({ m, state, words }: Call): Outcome {
	const { given, rest } = letters(words.slice(1), "LPe@");
	const target = rest[0];
	if (target === undefined || (target.pieces.length === 0 && rest.length === 0)) return go(m, state, home(m, state), given.includes("P"));
	if (textOf(target) === "-") return back(m, state);
	if (isNothing(target)) return { ok: towardsHome(m, state), bad: state };
	const outcome = go(m, state, target, given.includes("P"));
	// bash takes one operand and goes nowhere with two; dash goes to the first.
	return rest.length > 1 ? { ...outcome, bad: state } : outcome;
}

/** Where a shell stands after `cd $UNSET`: nobody knows, and at home unless somebody else sets the variable. */
function towardsHome(m: Machine, state: State): State {
	const there = into(state, []);
	there.homeward = textOf(home(m, state));
	return there;
}

function home(m: Machine, state: State): Word {
	const value = held(m, state, "HOME");
	return value.kind === "word" ? value.word : known(m.around.home);
}

/** `cd -` also prints where it goes. */
function back(m: Machine, state: State): Outcome {
	const value = held(m, state, "OLDPWD");
	m.print({ kind: "unknown" });
	if (value.kind === "word" && textOf(value.word) !== undefined) return go(m, state, value.word, false);
	return { ok: into(state, []), bad: state };
}

/** pushd: a directory in front of the stack, or the stack turned. */
export function pushd({ m, state, words }: Call): Outcome {
	const { given, rest } = letters(words.slice(1), "n");
	const target = rest[0];
	const text = target && textOf(target);
	m.print({ kind: "unknown" });
	// With -n the directory goes onto the stack alone.
	if (given !== "" && rest.length <= 1) {
		if (target === undefined || (text !== undefined && /^[-+]\d+$/.test(text))) return { ok: unknownStack(state), bad: state };
		state.stack = state.stack && [moved(m, state, target), ...state.stack];
		return { ok: state };
	}
	// bash takes one operand.
	if (rest.length > 1) return { bad: state };
	if (target === undefined) {
		const [top, ...others] = state.stack ?? [];
		if (state.stack === undefined) return { ok: unknownStack(into(state, [])), bad: state };
		if (top === undefined) return { bad: state };
		const swapped = into(state, top);
		swapped.stack = [state.cwd, ...others];
		return { ok: swapped };
	}
	if (text !== undefined && /^[-+]\d+$/.test(text)) return { ok: unknownStack(into(state, [])), bad: state };
	const before = state.cwd;
	const outcome = text === "-" ? back(m, state) : go(m, state, target, false);
	if (outcome.ok !== undefined) outcome.ok.stack = state.stack && [before, ...state.stack];
	return outcome;
}

function unknownStack(state: State): State {
	state.stack = undefined;
	return state;
}

/** popd: back to the directory on the stack. */
export function popd({ m, state, words }: Call): Outcome {
	m.print({ kind: "unknown" });
	if (state.stack === undefined || words.length > 1) return { ok: unknownStack(into(state, [])), bad: state };
	const [top, ...others] = state.stack;
	if (top === undefined) return { bad: state };
	const there = into(state, top);
	there.stack = others;
	return { ok: there };
}
