// A command line explained: what it would do step by step, what was known of each, and the verdict that the hook would give.

import type { Choice } from "../../guardfile/choose.ts";
import { isRefused } from "../../hook/finding.ts";
import { judgeLine, type LineJudged } from "../../hook/line.ts";
import { Policies } from "../../hook/policies.ts";
import { Session } from "../../hook/session.ts";
import { worldOfText } from "../../hook/world.ts";
import { type Bytes, quote, toText } from "../../policy/bytes.ts";
import type { ShellEvent, Word } from "../../shell/reading.ts";
import type { System } from "../../sys/system.ts";
import { policyWords } from "../policy-words.ts";
import { labelled, type Screen } from "../screen.ts";
import { operandText } from "./text.ts";

export interface ExplainedLine {
	line: Bytes;
	cwd: Bytes | undefined;
	choice: Choice;
	/** Whether any gate is switched on; while none is, the hook is silent. */
	on: boolean;
	/** The variables that switch one on. */
	variables: string[];
	judged: LineJudged;
	refused: boolean;
}

/** Explain a command line in a directory by a policy. */
export async function lineOf(system: System, choice: Choice, line: Bytes, cwd: Bytes | undefined): Promise<ExplainedLine> {
	const policies = new Policies(system, choice);
	const world = worldOfText(system, policies);
	const on = policies.areOn(world);
	const session = new Session(system, choice, world, cwd, policies);
	const judged = await judgeLine(line, session, false);
	const variables = [...new Set(policies.rootVariables())];
	return { line, cwd, choice, on, variables, judged, refused: on && judged.findings.some(isRefused) };
}

type Step = LineJudged["steps"][number];

/** A word with its holes as they are written. */
const shownWord = ({ pieces }: Word) => pieces.map((piece) => (typeof piece === "string" ? piece : piece.source)).join("");

function what(event: ShellEvent): string {
	if (event.kind === "call") return event.words.map((word) => quote(shownWord(word))).join(" ");
	if (event.kind === "redirect") return `${event.operator} ${quote(shownWord(event.target))}`;
	if (event.kind === "assign") return `${event.name}=${quote(shownWord(event.value))}`;
	return quote(event.source);
}

/** What becomes of a step, in a word. */
function outcome(
	{ event, finding }: Step,
	on: boolean,
): "refused" | "asked" | "allowed" | "left to the shim" | "not known" | "not guarded" | "not judged" | "reads" | "sets a variable" {
	if (event.kind === "unclear") return "not known";
	if (event.kind === "redirect" && !event.writes) return "reads";
	if (event.kind === "assign" && finding === undefined) return "sets a variable";
	if (!on) return "not judged";
	if (finding === undefined) return "not guarded";
	if (isRefused(finding)) return "refused";
	if (finding.left === "ask") return "asked";
	if (finding.unknown.length === 0) return "allowed";
	return finding.left === "shim" ? "left to the shim" : "not known";
}

function tinted(step: Step, on: boolean, screen: Screen): string {
	const word = outcome(step, on);
	const tint = word === "refused" ? "bad" : word === "allowed" ? "good" : word === "asked" || word === "not known" ? "doubtful" : "quiet";
	return screen.tint(tint, word);
}

function stepText(step: Step, explained: ExplainedLine, screen: Screen): string {
	const { event, finding } = step;
	const rows: [string, string][] = [];
	if (event.kind === "call" && event.via.length > 0) rows.push(["by", event.via.map(quote).join(", ")]);
	if (event.kind === "call" || event.kind === "redirect") {
		const [only] = event.cwd;
		if (event.cwd.length !== 1)
			rows.push(["run in", event.cwd.length === 0 ? "a directory that is not known" : event.cwd.map(quote).join(" or ")]);
		else if (only !== explained.cwd) rows.push(["run in", quote(only as Bytes)]);
	}
	if (event.kind === "unclear") rows.push(["why", event.why]);
	const unknown = finding?.unknown ?? [];
	if (unknown.length > 0) rows.push(["unknown", unknown.map(quote).join(" ")]);
	const details = rows.length === 0 ? "" : labelled(rows, screen, "    ");
	const verdict = finding?.verdict;
	const refused = verdict?.decision === "deny" ? verdict.refused.map((evidence) => operandText(evidence, screen)).join("") : "";
	return `  ${what(event)}: ${tinted(step, explained.on, screen)}\n${details}${refused}`;
}

/** The whole text. */
export function lineText(explained: ExplainedLine, screen: Screen): string {
	const { line, cwd, choice, on, variables, judged, refused } = explained;
	const off = `no gate is switched on; set ${variables.join(" or ")} to the session's directories`;
	const verdict = refused
		? `${screen.tint("bad", "refused")}: the hook answers with exit 2, and nothing would be run`
		: "the hook is silent";
	const rows: [string, string][] = [
		["verdict", on ? verdict : `${verdict}: ${off}`],
		["policy", policyWords(choice)],
		["directory", cwd === undefined ? "not known" : quote(cwd)],
	];
	const steps = judged.steps.map((step) => stepText(step, explained, screen)).join("");
	return `${screen.tint("strong", quote(line))}\n${labelled(rows, screen)}\n${screen.tint("strong", "steps")}\n${steps || "  none\n"}`;
}

/** The same as data. */
export function lineData({ line, cwd, choice, on, judged, refused }: ExplainedLine): object {
	const steps = judged.steps.map((step) => {
		const { event, finding } = step;
		const common = { kind: event.kind, what: toText(what(event)), source: toText(event.source), outcome: outcome(step, on) };
		const call = event.kind === "call" ? { via: event.via.map(toText), on_path: event.onPath } : {};
		const cwds = event.kind === "call" || event.kind === "redirect" ? { cwd: event.cwd.map(toText) } : {};
		const why = finding?.verdict.decision === "deny" ? { why: finding.verdict.refused.map((evidence) => evidence.why ?? "") } : {};
		return { ...common, ...call, ...cwds, ...(finding && { unknown: finding.unknown.map(toText) }), ...why };
	});
	const directory = cwd === undefined ? null : toText(cwd);
	return {
		line: toText(line),
		cwd: directory,
		policy: { how: choice.how, directory: toText(choice.directory) },
		decision: refused ? "deny" : "pass",
		steps,
	};
}
