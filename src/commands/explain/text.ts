// An explanation as a person reads it: the verdict first, then each operand with its way, then the roots.

import { quote } from "../../policy/bytes.ts";
import type { Operand } from "../../policy/call.ts";
import type { Root } from "../../policy/policy.ts";
import type { Evidence, Verdict } from "../../policy/verdict.ts";
import type { Found } from "../../sys/find-tool.ts";
import { policyWords } from "../policy-words.ts";
import { labelled, type Screen } from "../screen.ts";
import type { Explanation } from "./explanation.ts";

type Row = readonly [label: string, text: string];
type Judged = Extract<Verdict, { seen: Evidence[] }>;

const ROLES: Record<Operand["role"], string> = {
	removed: "removed",
	moved: "moved away",
	written: "written",
	into: "put into",
	started: "acted on below",
};

/** What the shim would become, or why it could not. */
export function becomesWords(becomes: Found): string {
	if (!("missing" in becomes)) return quote(becomes.path);
	if (becomes.missing === "not-executable") return `nothing: ${quote(becomes.path ?? "")} is not executable`;
	if (becomes.missing === "too-deep") return "nothing: the wrappers on PATH lead in a circle";
	return becomes.path
		? `nothing: ${quote(becomes.path)}, which the policy names, does not exist`
		: "nothing: there is no other one on PATH";
}

function verdictRow(screen: Screen, explanation: Explanation): Row {
	const { judged, tool } = explanation;
	if (judged === undefined) return ["verdict", `not guarded: the policy has no wrap for ${quote(tool)}, so nobody judges it`];
	const { verdict, variables } = judged;
	if (verdict.decision === "deny") return ["verdict", `${screen.tint("bad", "refused")}: exit 2, and nothing would be run`];
	if (verdict.decision === "allow") return ["verdict", screen.tint("good", "allowed")];
	const names = variables.map(({ name }) => quote(name)).join(", ");
	return ["verdict", `${screen.tint("doubtful", "inert")}: none of ${names} is set, so nothing is judged or recorded`];
}

/** What a session would say, where nothing is judged: its variable is set by whoever asks. */
function inertRow({ judged }: Explanation): Row[] {
	const variable = judged?.verdict.decision === "inert" && judged.variables.find(({ name }) => name === "TMX_ROOTS");
	return variable ? [["next", 'to see what a session in this directory would say: TMX_ROOTS="$PWD" tmx explain ...']] : [];
}

function shimRow({ argv, tool, found, judged }: Explanation): Row[] {
	if (judged === undefined) return [];
	const name = argv[0] ?? "";
	if (found?.kind === "shim") return [["shim", `this call meets ${quote(found.path)}`]];
	if (name.includes("/")) return [["shim", `none: ${quote(name)} is run as it is spelled, and no shim of ${quote(tool)} sees it`]];
	const instead = found ? `a shell here runs ${quote(found.path)}` : `a shell here finds no ${quote(tool)}`;
	return [["shim", `none first on PATH: ${instead}`]];
}

function ruleRow({ judged }: Explanation): Row[] {
	if (judged === undefined) return [];
	const { verdict, guardfile, lines } = judged;
	const gate = verdict.decision === "allow" || verdict.decision === "deny" ? `, ${verdict.gate}` : "";
	const line = verdict.decision === "allow" || verdict.decision === "deny" ? verdict.line : lines.join(",");
	return [["rule", `${quote(guardfile)}:${line}${gate}`]];
}

function head(explanation: Explanation, screen: Screen): Row[] {
	const { judged, choice, cwd } = explanation;
	return [
		verdictRow(screen, explanation),
		...inertRow(explanation),
		...ruleRow(explanation),
		["policy", policyWords(choice)],
		...shimRow(explanation),
		...(judged ? [["becomes", becomesWords(judged.becomes)] as const] : []),
		["directory", quote(cwd)],
	];
}

/** Words that hold a name, such as "parent of X": as they are, unless the name could act on the terminal. */
const words = (text: string) => (/^[ -~]*$/.test(text) ? text : quote(text));

function rootWords({ text, real, from }: Root): string {
	return text === real ? `${quote(real)} (${words(from)})` : `${quote(real)} (${words(from)}, as ${quote(text)})`;
}

/** What an operand is, the links on the way, where it lies or why not. */
function operandRows({ operand, resolved, links, root, why }: Evidence): Row[] {
	if (operand.text === "") return [["is", "nothing: the empty string names no file"]];
	const rows: Row[] = [];
	if (operand.at !== undefined) rows.push(["from", quote(operand.at)]);
	if (resolved !== "") rows.push(["is", quote(resolved)]);
	for (const { at, to } of links) rows.push(["link", `${quote(at)} -> ${quote(to)}`]);
	if (root) rows.push(["in", rootWords(root)]);
	else if (why === undefined) rows.push(["in", "no directory of the session, but nothing in the tree is written"]);
	if (why !== undefined) rows.push(["why", why]);
	return rows;
}

/** One operand with its way and its verdict. */
export function operandText(evidence: Evidence, screen: Screen): string {
	const { operand, why } = evidence;
	const mark = why === undefined ? screen.tint("good", "allowed") : screen.tint("bad", "refused");
	const note = operand.note ? ` (${words(operand.note)})` : "";
	const rows = labelled(operandRows(evidence), screen, "           ");
	return `  ${mark}  ${ROLES[operand.role]}: ${quote(operand.text)}${note}\n${rows}`;
}

function rootsText(roots: readonly Root[], screen: Screen): string {
	const kept = roots.filter((root) => root.dropped === undefined);
	const rows: Row[] = kept.map((root) => ["kept", rootWords(root)]);
	for (const { text, from, dropped } of roots) if (dropped) rows.push(["dropped", `${quote(text)} (${words(from)}): ${dropped}`]);
	if (kept.length === 0) rows.push(["", "no directory is left, so every operand is refused"]);
	return labelled(rows, screen);
}

function evidence(verdict: Judged, screen: Screen): string {
	const title = (text: string) => `\n${screen.tint("strong", text)}\n`;
	let text = title("operands");
	if (verdict.seen.length === 0) text += "  none: this call acts on no file\n";
	for (const seen of verdict.seen) text += operandText(seen, screen);
	if (verdict.unread.length > 0) {
		text += `${title("not understood, so every word was judged as if it were removed")}  ${verdict.unread.map(quote).join(" ")}\n`;
	}
	text += title("directories of the session") + rootsText(verdict.roots, screen);
	if (verdict.decision === "deny" && verdict.reason !== "") text += `${title("the guardfile says")}  ${quote(verdict.reason)}\n`;
	return text;
}

/** The whole text. */
export function explanationText(explanation: Explanation, screen: Screen): string {
	const { judged, argv } = explanation;
	const call = screen.tint("strong", argv.map(quote).join(" "));
	const text = `${call}\n${labelled(head(explanation, screen), screen)}`;
	if (judged === undefined) return text;
	const { verdict } = judged;
	return verdict.decision === "allow" || verdict.decision === "deny" ? text + evidence(verdict, screen) : text;
}
