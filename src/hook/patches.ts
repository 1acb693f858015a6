// Patches: apply_patch as a command, which agents take out of the line, and the files that patch and git change by the names in one.

import type { Target } from "../agents/agent.ts";
import { patchTargets } from "../agents/patch.ts";
import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";
import type { CallEvent, Word } from "../shell/reading.ts";
import { repositoryAt } from "../sys/git-settings.ts";
import type { Finding } from "./finding.ts";
import { textOf } from "./holes.ts";
import type { Session } from "./session.ts";
import { judgeTargets, withAstray } from "./targets.ts";

/** The names under which agents offer it to a shell (Codex: apply_patch). */
const TOOLS = ["apply_patch", "applypatch"];

/** No patch is larger; what is in a larger one nobody looks at. */
const LARGEST = 4 << 20;

/** The lines of a difference that name files (git-diff(1), diff(1)). */
const NAMES = /^(?:(?:\+\+\+|---) ([^\t\r\n]+)|(?:rename|copy) to ([^\r\n]+))/gm;

/** The files that a difference changes. @param strip how many leading components of `---` and `+++` are no part of a name */
function differenceTargets(patch: Bytes, strip: number): Target[] {
	const names = new Set<Bytes>();
	for (const [, sided, whole] of patch.matchAll(NAMES)) {
		if (whole !== undefined) names.add(whole);
		else if (sided !== undefined && sided !== "/dev/null") names.add(sided.split("/").slice(strip).join("/"));
	}
	return [...names].flatMap((text) => (text === "" ? [] : [{ text, role: "written" as const }]));
}

/** A call that takes a difference in. */
interface Applied {
	/** How many leading components go. */
	strip: number;
	/** The files that hold it; none where it comes by standard input. */
	files: Bytes[];
	/** What is put in front of each name. */
	prefix: Bytes;
	/** Names stand on the top of the work tree. */
	fromTop: boolean;
}

/** What follows an option among words, in the same one or the next. */
function valueBehind(words: readonly Bytes[], short: string, long: string): Bytes | undefined {
	for (const [k, word] of words.entries()) {
		if (word === short || word === long) return words[k + 1];
		if (word.startsWith(`${long}=`)) return word.slice(long.length + 1);
		if (word.startsWith(short) && !word.startsWith("--")) return word.slice(short.length);
	}
	return undefined;
}

function appliedBy(words: readonly Word[]): Applied | undefined {
	const [tool = "", ...rest] = words.map((word) => textOf(word) ?? "");
	const name = baseOf(tool);
	const stripped = (before: number) => Number(valueBehind(rest, "-p", "--strip") ?? before) || 0;
	const directoryOf = (short: string) => {
		const text = valueBehind(rest, short, "--directory") ?? "";
		return text === "" || text.endsWith("/") ? text : `${text}/`;
	};
	if (name === "patch") {
		const file = valueBehind(rest, "-i", "--input");
		return rest.some((word) => /^(--dry-run|-C|--check)$/.test(word))
			? undefined
			: { strip: stripped(0), files: file === undefined ? [] : [file], prefix: directoryOf("-d"), fromTop: false };
	}
	const verb = rest.findIndex((word) => word === "apply" || word === "am");
	if (name !== "git" || verb < 0 || rest.some((word) => /^--(check|stat|numstat|summary|cached)$/.test(word))) return undefined;
	const files = rest.slice(verb + 1).filter((word) => word !== "" && !word.startsWith("-"));
	return { strip: stripped(1), files, prefix: directoryOf("--directory"), fromTop: true };
}

/** The texts of the patches that a call takes in, as far as they are known. */
function textsOf({ input, inputFile }: CallEvent, { files }: Applied, directory: Bytes | undefined, session: Session): Bytes[] {
	const given = input?.kind === "text" ? textOf(input.word) : undefined;
	if (given !== undefined) return [given];
	const fed = inputFile === undefined ? undefined : textOf(inputFile);
	return (fed !== undefined && files.length === 0 ? [fed] : files).flatMap((file) => {
		const path = file.startsWith("/") ? file : directory === undefined ? undefined : `${directory}/${file}`;
		const text = path === undefined ? undefined : session.files.read(path, LARGEST);
		return text === undefined ? [] : [text];
	});
}

/** A difference that changes what the guard stands on; everything else that its names say is for the gate of the tool. */
function judgeDifference(event: CallEvent, session: Session): Finding | undefined {
	const applied = appliedBy(event.words);
	if (applied === undefined) return undefined;
	for (const directory of event.cwd) {
		const named = textsOf(event, applied, directory, session).flatMap((text) => differenceTargets(text, applied.strip));
		const targets = named.map(({ text, role }) => ({ text: applied.prefix + text, role }));
		const top = applied.fromTop ? repositoryAt(session.files, directory)?.top : undefined;
		if (targets.length === 0) continue;
		const found = judgeTargets(textOf(event.words[0] as Word) ?? "patch", targets, session, top ?? directory);
		if (found?.verdict.decision === "deny") return found;
	}
	return undefined;
}

/**
 * Judge a patch that is a word of the command, or its input; nothing where the text of it is not known.
 * @param unsure the directory may be another one than the session's, and then names that stand on it prove nothing
 */
export function judgePatch(event: CallEvent, session: Session, unsure: boolean): Finding | undefined {
	const { words, input, cwd } = event;
	const tool = words[0] && textOf(words[0]);
	if (tool === undefined) return undefined;
	if (!TOOLS.includes(baseOf(tool))) return unsure ? undefined : judgeDifference(event, session);
	const patch = words[1] ? textOf(words[1]) : input?.kind === "text" ? textOf(input.word) : undefined;
	const named = patchTargets(patch ?? "");
	const judged = (directory: Bytes | undefined) => {
		const stands = directory !== undefined && !(unsure && directory === session.cwd);
		const targets = stands ? named : named.filter(({ text }) => text.startsWith("/"));
		return targets.length > 0 ? judgeTargets(tool, targets, session, directory) : undefined;
	};
	let last: Finding | undefined;
	for (const directory of cwd.length === 0 ? [undefined] : cwd) {
		last = judged(directory) ?? last;
		if (last?.verdict.decision === "deny") return last;
	}
	return withAstray(last, event, session, judged);
}
