// One call of a command line judged by its tool's policy: for each directory that it may run in, and with unset variables empty.

import { readers } from "../operands/index.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { Call, Reader } from "../policy/call.ts";
import { judge } from "../policy/judge.ts";
import type { Root, ToolPolicy } from "../policy/policy.ts";
import { baseOf, isBelow, join, type Resolver } from "../policy/resolve.ts";
import type { Evidence, Verdict } from "../policy/verdict.ts";
import type { CallEvent, Word } from "../shell/reading.ts";
import { bound, rootsOf } from "./bound.ts";
import { type Finding, refused } from "./finding.ts";
import { guarded } from "./guarded.ts";
import { argumentsOf, Holes, readerOfText, textOf } from "./holes.ts";
import type { Session } from "./session.ts";

const hasUnset = (words: readonly Word[]) => words.some(({ pieces }) => pieces.some((piece) => typeof piece !== "string" && piece.unset));

/** One way in which a call may be made. */
interface Variant {
	cwd: Bytes | undefined;
	/** Unset variables are taken for empty. */
	empty: boolean;
}

/** What one variant comes to. */
interface Judged {
	verdict: Verdict;
	argv: Bytes[];
	unknown: Bytes[];
}

function environment(event: CallEvent, session: Session): (name: string) => Bytes {
	return (name) => {
		const own = event.env.findLast((assignment) => assignment.name === name);
		return own === undefined ? session.world.env(name) : (textOf(own.value) ?? "");
	};
}

function callOf(event: CallEvent, session: Session, policy: ToolPolicy, argv: Bytes[], cwd: Bytes | undefined): Call {
	const env = environment(event, session);
	const implementation = event.via.includes("busybox") ? "busybox" : session.implementation(argv[0] ?? "", policy);
	const posix =
		implementation === "bsd" ||
		session.system.env("POSIXLY_CORRECT") !== undefined ||
		event.env.some(({ name }) => name === "POSIXLY_CORRECT");
	return { tool: policy.tool, argv, cwd: cwd ?? "", posix, implementation, env };
}

/** Readers by name, made into something else. */
const ofReader = (make: (reader: Reader) => Reader) => (name: string) => {
	const reader = readers.get(name);
	return reader && make(reader);
};

/** The reader of a guarded tool's words, for a tool that runs it. */
function readerOfTool(session: Session, tool: string): Reader | undefined {
	const policy = session.policies.tool(tool);
	return policy === undefined || "unusable" in policy ? undefined : readers.get(policy.gates[0]?.operands ?? "");
}

function judgeVariant(event: CallEvent, session: Session, policy: ToolPolicy, roots: readonly Root[], { cwd, empty }: Variant): Judged {
	const holes = new Holes();
	const argv = argumentsOf(event.words, holes, empty);
	const world = session.worldAt(cwd);
	const unknown: Bytes[] = [];
	const standing = { look: world.look, known: cwd !== undefined, roots };
	const ofText = (reader: Reader) => readerOfText(reader, holes, standing, unknown);
	const policyOfText = bound(session, policy, ofReader(ofText), (tool) => readerOfTool(session, tool));
	const shown = argv.map((word) => holes.written(word));
	if ("unusable" in policyOfText) return { verdict: refused(shown[0] ?? "", policyOfText.unusable), argv: shown, unknown };
	const verdict = judge(policyOfText, callOf(event, session, policy, argv, cwd), world, true);
	return { verdict, argv: shown, unknown };
}

/** What an unset variable is refused for: with nothing in its place the word is the whole machine, or holds a session's directory. */
function isRuinous({ operand, resolved }: Evidence, roots: readonly Root[]): boolean {
	if (resolved === "/" || /^\/+[^/]*[*?[]/.test(operand.text)) return true;
	return roots.some(({ real, dropped }) => dropped === undefined && isBelow(real, resolved));
}

/** Under an agent that does not say where a call runs, a relative path that climbs proves nothing. */
function proven(verdict: Verdict, session: Session, cwd: Bytes | undefined, unsure: boolean, unknown: Bytes[]): Verdict {
	if (!unsure || verdict.decision !== "deny" || cwd !== session.cwd) return verdict;
	const climbs = ({ operand: { text, at } }: Evidence) => at === undefined && !text.startsWith("/") && /(^|\/)\.\.(\/|$)/.test(text);
	const sure = verdict.refused.filter((evidence) => !climbs(evidence));
	if (sure.length === verdict.refused.length) return verdict;
	unknown.push(...verdict.refused.filter(climbs).map(({ operand }) => operand.text));
	if (sure.length > 0) return { ...verdict, refused: sure };
	return { ...verdict, decision: "allow" };
}

/** The operands of ln, mv or cp: the value of `-t` in a word of its own, or of `-S`, is none. */
function operandsOf(argv: readonly Bytes[]): Bytes[] {
	const words: Bytes[] = [];
	for (let at = 1; at < argv.length; at++) {
		const word = argv[at] as Bytes;
		if (/^-[a-zA-Z]*[tS]$|^--(target-d[a-z-]*|suf[a-z]*)$/.test(word)) at++;
		else if (!word.startsWith("-")) words.push(word);
	}
	return words;
}
const has = (argv: readonly Bytes[], option: RegExp) => argv.some((word) => option.test(word));

/** What the calls behind this one can count on. */
interface Standing {
	session: Session;
	look: Resolver;
	roots: readonly Root[];
	/** It may not run, or in another directory. */
	conditional: boolean;
}

/** A link comes to a place. Where something stands already, a call that does not replace it does nothing, unless an earlier one took that away. */
function put({ session, roots, conditional }: Standing, at: Bytes, to: Bytes, replaces: boolean): void {
	const there = !replaces && session.files.kind(at, false) !== undefined;
	if (there && !session.hasJudged) return;
	session.link(at, to, !conditional && !there, roots);
}

/** A link that leads to a directory takes the new one in; where an earlier call took that link away, the new one comes to its place. */
function putInItsPlace(standing: Standing, target: Bytes, to: Bytes): void {
	const { session, look } = standing;
	if (session.hasJudged && session.files.readlink(look.entry(target)) !== undefined) put(standing, look.entry(target), to, false);
}

/** Links that `ln -s` makes, for the calls behind it. */
function rememberMade(standing: Standing, { verdict, argv }: Judged): void {
	if (verdict.decision !== "allow" || !has(argv, /^(-[a-zA-Z]*s|--sym)/)) return;
	const words = operandsOf(argv);
	const forced = has(argv, /^(-[a-zA-Z]*f|--force)/);
	const made = verdict.seen.filter(({ operand }) => operand.role === "written" && operand.leaf === "entry");
	made.forEach(({ resolved }, k) => {
		const to = words[k];
		if (to !== undefined) put(standing, resolved, to, forced);
	});
	const [to, target, more] = words;
	if (to !== undefined && target !== undefined && more === undefined) putInItsPlace(standing, target, to);
}

/** Links that mv, or a cp that keeps or makes links, puts at another place. */
function rememberMoved(standing: Standing, argv: readonly Bytes[]): void {
	const { look } = standing;
	const makes = has(argv, /^(-[a-zA-Z]*s[a-zA-Z]*|--symbolic-link)$/);
	const keepsOld = makes ? !has(argv, /^(-[a-zA-Z]*f|--force|--rem)/) : has(argv, /^(-[a-zA-Z]*[niu]|--(no-c|int|upd))/);
	const words = operandsOf(argv);
	const target = words.pop();
	if (target === undefined) return;
	const inside = look.isDirectory(target);
	for (const source of words) {
		const to = makes ? source : look.files.readlink(look.standing(source));
		const at = inside ? join(look.directory(target), baseOf(source)) : look.entry(target);
		if (to === undefined || at === "") continue;
		put(standing, at, to, !keepsOld);
		if (inside && words.length === 1) putInItsPlace(standing, target, to);
	}
}

/** Options with which rm asks first, or does nothing. */
const SPARES = /^(-[a-zA-Z]*[iI]|--(int|help|ver).*)/;

/** Whether mv surely gives a name to another place: nothing stands there, and nothing on the line could have put something there. */
function surelyMoves(session: Session, look: Resolver, argv: readonly Bytes[]): boolean {
	const [source, target, more] = argv.slice(1);
	if (source === undefined || target === undefined || more !== undefined || source.startsWith("-") || target.startsWith("-")) return false;
	return !session.hasJudged && look.files.kind(look.entry(target), false) === undefined;
}

/** Links that a call surely takes away. With a slash behind it the name is what the link leads to, and cannot go. */
function gone(session: Session, look: Resolver, tool: Bytes, { verdict, argv }: Judged): Bytes[] {
	if (verdict.decision !== "allow" || verdict.unread.length > 0 || has(argv, SPARES)) return [];
	const surely = tool === "rm" || (tool === "unlink" && argv.length === 2) || (tool === "mv" && surelyMoves(session, look, argv));
	const goes = ({ operand: { role, text } }: Evidence) => (role === "removed" || role === "moved") && !text.endsWith("/");
	return surely ? verdict.seen.filter(goes).map(({ resolved }) => resolved) : [];
}

/** What a call leaves for the ones behind it: links that it makes, and links that surely go. */
function remember(standing: Standing, tool: Bytes, judged: Judged): void {
	const { session, look, conditional } = standing;
	const { argv, verdict } = judged;
	const links = conditional ? [] : gone(session, look, tool, judged);
	if (tool === "ln") rememberMade(standing, judged);
	const keeps = tool === "mv" || (tool === "cp" && has(argv, /^(-[a-zA-Z]*[adPrRs]|--archive|--no-dereference|--recursive|--symbolic)/));
	if (keeps && verdict.decision === "allow") rememberMoved(standing, argv);
	for (const link of links) session.unlink(link);
	session.hasJudged = true;
}

/** The worst of what the variants come to: a refusal, else what is not known. */
export function judgeCall(event: CallEvent, session: Session, unsure: boolean): Finding | undefined {
	const word = event.words[0] === undefined ? undefined : textOf(event.words[0]);
	if (word === undefined) return undefined;
	const tool = baseOf(word);
	const policy = session.policies.tool(tool);
	if (policy === undefined) return undefined;
	const finding = (judged: Judged, usable: ToolPolicy | undefined, left: Finding["left"]): Finding => {
		return { tool, argv: judged.argv, source: event.source, policy: usable, verdict: judged.verdict, unknown: judged.unknown, left };
	};
	if ("unusable" in policy) return finding({ verdict: refused(word, policy.unusable), argv: [word], unknown: [] }, undefined, "pass");
	const roots = rootsOf(session, policy, session.cwd);
	const places = event.cwd.length === 0 ? [undefined] : event.cwd;
	let last: Judged | undefined;
	const unknown: Bytes[] = [];
	for (const cwd of places) {
		const judged = judgeVariant(event, session, policy, roots, { cwd, empty: false });
		const verdict = guarded(proven(judged.verdict, session, cwd, unsure, judged.unknown), session);
		if (verdict.decision === "deny") return finding({ ...judged, verdict }, policy, "pass");
		unknown.push(...judged.unknown.filter((text) => !unknown.includes(text)));
		last = { ...judged, verdict };
		if (!hasUnset(event.words)) continue;
		const bare = judgeVariant(event, session, policy, roots, { cwd, empty: true });
		const ruinous = bare.verdict.decision === "deny" ? bare.verdict.refused.filter((evidence) => isRuinous(evidence, roots)) : [];
		if (bare.verdict.decision === "deny" && ruinous.length > 0)
			return finding({ ...bare, verdict: { ...bare.verdict, refused: ruinous } }, policy, "pass");
	}
	if (last === undefined || last.verdict.decision === "inert") return undefined;
	const { look } = session.worldAt(places[0]);
	remember({ session, look, roots, conditional: event.conditional || places.length > 1 }, tool, last);
	const left = unknown.length === 0 ? "pass" : event.onPath && session.hasShim(tool) ? "shim" : session.onUnknown(policy);
	return finding({ ...last, unknown }, policy, left);
}
