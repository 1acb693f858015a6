// What a call leaves for the ones behind it on the line: the links that it makes, moves and takes away.

import type { Bytes } from "../policy/bytes.ts";
import type { Root } from "../policy/policy.ts";
import { baseOf, join, type Resolver } from "../policy/resolve.ts";
import type { Judged } from "./finding.ts";
import type { Future } from "./future.ts";
import type { Session } from "./session.ts";

/** The operands of ln, mv or cp, and the directory that `-t` names; the value of `-S` in a word of its own is none. */
function operandsOf(argv: readonly Bytes[]): { words: Bytes[]; directory: Bytes | undefined } {
	const words: Bytes[] = [];
	let directory: Bytes | undefined;
	for (let at = 1; at < argv.length; at++) {
		const word = argv[at] as Bytes;
		const [into, glued] = /^(?:-[a-su-zA-RT-Z]*t|--target-d[a-z-]*=?)(.*)/s.exec(word) ?? [];
		if (into !== undefined) directory = glued || argv[++at];
		else if (/^-[a-zA-Z]*S$|^--suf[a-z]*$/.test(word)) at++;
		else if (!word.startsWith("-")) words.push(word);
	}
	return { words, directory };
}
const has = (argv: readonly Bytes[], option: RegExp) => argv.some((word) => option.test(word));

/** What the calls behind this one can count on. */
export interface Standing {
	session: Session;
	future: Future;
	look: Resolver;
	roots: readonly Root[];
	/** It may not run, or in another directory. */
	conditional: boolean;
}

/** A link comes to a place. Where something stands already, a call that does not replace it does nothing, unless an earlier one took that away. */
function put({ session, future, roots, conditional }: Standing, at: Bytes, to: Bytes, replaces: boolean): void {
	const there = !replaces && future.files.kind(at, false) !== undefined;
	if (there && !session.hasJudged) return;
	session.link(future, at, to, !conditional && !there, roots);
}

/** A link that leads to a directory takes the new one in; where an earlier call took that link away, the new one comes to its place. */
function putInItsPlace(standing: Standing, target: Bytes, to: Bytes): void {
	const { session, future, look } = standing;
	if (session.hasJudged && future.files.readlink(look.entry(target)) !== undefined) put(standing, look.entry(target), to, false);
}

/** Links that `ln -s` makes, for the calls behind it. */
function rememberMade(standing: Standing, { verdict, argv }: Judged): void {
	if (verdict.decision !== "allow" || !has(argv, /^(-[a-zA-Z]*s|--sym)/)) return;
	const { words } = operandsOf(argv);
	const forced = has(argv, /^(-[a-zA-Z]*f|--force)/);
	const made = verdict.seen.filter(({ operand }) => operand.role === "written" && operand.leaf === "entry");
	made.forEach(({ resolved }, k) => {
		const to = words[k];
		if (to !== undefined) put(standing, resolved, to, forced);
	});
	const [to, target, more] = words;
	if (to !== undefined && target !== undefined && more === undefined) putInItsPlace(standing, target, to);
}

/** With it the last operand is the name itself, even where a directory stands (mv(1), cp(1)). */
const NO_DIRECTORY = /^(-[a-zA-Z]*T|--no-t[a-z-]*$)/;

/** Links that mv, or a cp that keeps or makes links, puts at another place. */
function rememberMoved(standing: Standing, argv: readonly Bytes[]): void {
	const { look } = standing;
	const makes = has(argv, /^(-[a-zA-Z]*s[a-zA-Z]*|--symbolic-link)$/);
	const keepsOld = makes ? !has(argv, /^(-[a-zA-Z]*f|--force|--rem)/) : has(argv, /^(-[a-zA-Z]*[niu]|--(no-c|int|upd))/);
	const { words, directory } = operandsOf(argv);
	const target = directory ?? words.pop();
	if (target === undefined) return;
	const inside = !has(argv, NO_DIRECTORY) && look.isDirectory(target);
	for (const source of words) {
		const to = makes ? source : look.files.readlink(look.standing(source));
		const at = inside ? join(look.directory(target), baseOf(source)) : look.entry(target);
		if (to === undefined || at === "") continue;
		// Without its source it fails, and an earlier call may have taken that away.
		const unsure = { ...standing, conditional: standing.conditional || standing.session.hasJudged };
		put(unsure, at, to, !keepsOld);
		if (inside && words.length === 1) putInItsPlace(unsure, target, to);
	}
}

/** Options with which rm asks first, or does nothing. */
const SPARES = /^(-[a-zA-Z]*[iI]|--(int|help|ver).*)/;

/** Whether mv surely gives a name to another place: nothing stands there, and nothing on the line could have put something there. */
function surelyMoves({ session, look }: Standing, argv: readonly Bytes[]): boolean {
	const [source, target, more] = argv.slice(1);
	if (source === undefined || target === undefined || more !== undefined || source.startsWith("-") || target.startsWith("-")) return false;
	return !session.hasJudged && look.files.kind(look.entry(target), false) === undefined;
}

/** Whether what a call takes away surely goes. */
function surelyTakes(standing: Standing, tool: Bytes, { verdict, argv }: Judged): boolean {
	if (standing.conditional || verdict.decision !== "allow" || verdict.unread.length > 0 || has(argv, SPARES)) return false;
	return tool === "rm" || (tool === "unlink" && argv.length === 2) || (tool === "mv" && surelyMoves(standing, argv));
}

/** Links that a call takes away. With a slash behind it the name is what the link leads to, and cannot go. */
function taken({ future }: Standing, { verdict }: Judged): Bytes[] {
	const links: Bytes[] = [];
	if (verdict.decision !== "allow") return links;
	for (const { operand, resolved } of verdict.seen) {
		const goes = (operand.role === "removed" || operand.role === "moved") && !operand.text.endsWith("/");
		if (goes && future.files.readlink(resolved) !== undefined) links.push(resolved);
	}
	return links;
}

/** What a call leaves for the ones behind it: links that it makes, and links that go. */
export function remember(standing: Standing, tool: Bytes, judged: Judged): void {
	const { argv, verdict } = judged;
	const links = taken(standing, judged);
	const sure = links.length > 0 && surelyTakes(standing, tool, judged);
	if (tool === "ln") rememberMade(standing, judged);
	const keeps = tool === "mv" || (tool === "cp" && has(argv, /^(-[a-zA-Z]*[adPrRs]|--archive|--no-dereference|--recursive|--symbolic)/));
	if (keeps && verdict.decision === "allow") rememberMoved(standing, argv);
	for (const link of links) standing.session.unlink(standing.future, link, sure);
	standing.session.hasJudged = true;
}
