// What a call leaves for the ones behind it on the line: the links that it makes, moves and takes away.

import type { Bytes } from "../policy/bytes.ts";
import type { Evidence } from "../policy/verdict.ts";
import { type Effect, has, merged, operandsOf, type Standing, takes } from "./effects.ts";
import type { Judged } from "./finding.ts";
import type { Change, Future } from "./future.ts";
import { brought } from "./leaves-brought.ts";
import { madeByLn, madeByMkdir } from "./leaves-made.ts";
import { copiedByRsync, moved } from "./leaves-moved.ts";

/** Options with which rm asks first, or does nothing. */
const SPARES = /^(-[a-zA-Z]*[iI]|--(int|help|ver).*)/;

/** Tools that work only if what they are to take away goes. */
const TAKERS = ["rm", "unlink", "rmdir", "install", "cmake", "rimraf", "trash"];

/** Whether what a call takes away surely goes, where the call is made. */
function surelyTakes(standing: Standing, tool: Bytes, { verdict, argv }: Judged): boolean {
	if (standing.conditional || verdict.decision !== "allow" || verdict.unread.length > 0) return false;
	return tool === "rm" || tool === "install" || replacesAll(tool, argv) || (tool === "unlink" && argv.length === 2);
}

/** Tools that put a new file where a name stands, whatever it was. */
const REPLACERS = ["mv", "install"];

/** Whether cp does so, too; a prefix of the option is enough. */
const replacesAll = (tool: Bytes, argv: readonly Bytes[]) => tool === "cp" && has(argv, /^--rem/);

/** Whether a name goes. With a slash behind it, it is what a link leads to, and cannot go. */
const goes = ({ operand: { role, text } }: Evidence): boolean => (role === "removed" || role === "moved") && !text.endsWith("/");

/** Links that a call takes away, or in the place of which it puts something; of a directory that rm takes with all it holds, those in it. */
function taken({ future }: Standing, tool: Bytes, { argv, verdict }: Judged): { gone: Bytes[]; replaced: Bytes[] } {
	const found = { gone: [] as Bytes[], replaced: [] as Bytes[] };
	if (verdict.decision !== "allow") return found;
	const isDeep = tool === "rm" && has(argv, /^(-[a-zA-Z]*[rR]|--rec)/);
	for (const evidence of verdict.seen) {
		const { operand, resolved } = evidence;
		const isLink = future.files.readlink(resolved) !== undefined;
		if (operand.role === "written" && operand.leaf === "entry" && (REPLACERS.includes(tool) || replacesAll(tool, argv))) {
			if (isLink) found.replaced.push(resolved);
		} else if (goes(evidence) && tool !== "mv" && (isLink || (isDeep && future.files.linksBelow(resolved).length > 0)))
			found.gone.push(resolved);
	}
	return found;
}

function effectsOf(standing: Standing, tool: Bytes, judged: Judged): Effect[] {
	const { argv, raw } = judged;
	const { gone, replaced } = taken(standing, tool, judged);
	const effects: Effect[] = [];
	const all = tool === "mv" ? gone : [...gone, ...replaced];
	if (all.length > 0) {
		const spares = has(argv, SPARES);
		effects.push(takes(all, !spares && surelyTakes(standing, tool, judged), !spares && TAKERS.includes(tool)));
	}
	if (tool === "ln") effects.push(...madeByLn(standing, judged));
	if (tool === "mkdir") effects.push(...madeByMkdir(standing, judged));
	const keeps = tool === "mv" || (tool === "cp" && has(argv, /^(-[a-zA-Z]*[adlPrRs]|--(arc|no-de|rec|sym|link))/));
	if (keeps) effects.push(...moved(standing, tool, raw, replaced));
	// The other way round as well.
	if (tool === "mv" && has(argv, /^--exch/)) effects.push(...moved(standing, tool, [tool, ...raw.slice(1).toReversed()]));
	if (tool === "rsync") effects.push(...copiedByRsync(standing, raw));
	if (tool === "tar" || tool === "git" || tool === "find") effects.push(...brought(standing, tool, judged));
	return merged(effects);
}

/** What is new in a change. */
function newIn({ files }: Future, { links, taken, directories }: Change): Change | undefined {
	const change = {
		links: links.filter(([at, to]) => taken.includes(at) || files.readlink(at) !== to),
		taken,
		directories: directories.filter((at) => files.kind(at, false) !== "directory"),
	};
	return change.links.length + taken.length + change.directories.length === 0 ? undefined : change;
}

/** What a call leaves for the ones behind it: links that it makes, and links that go. */
export function remember(standing: Standing, tool: Bytes, judged: Judged): void {
	const { argv, verdict } = judged;
	if (verdict.decision !== "allow") return;
	const { session, future, step, roots } = standing;
	const gone = verdict.seen.filter(goes);
	for (const { resolved } of gone) future.vacated.add(resolved);
	const written = new Map(judged.raw.flatMap((word, k) => (word.includes("\0") ? [[word, argv[k] ?? ""] as const] : [])));
	const effects = effectsOf({ ...standing, written }, tool, judged);
	for (const { resolved } of gone) future.files.change((changes) => changes.forgetDirectory(resolved));
	// Of several operands, and of a tree, some may be done, and the call fails.
	const most = tool === "cp" ? 0 : tool === "mv" || tool === "ln" ? 2 : 1;
	const alone = operandsOf(argv).words.length <= most;
	for (const effect of effects) {
		const change = newIn(future, effect);
		if (change !== undefined) session.comes(future, change, effect.sure, { step: effect.told ? step : 0, alone }, roots);
	}
}
