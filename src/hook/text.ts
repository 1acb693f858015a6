// What the model reads: why a command or a file was refused, and what passes instead.

import { quote } from "../policy/bytes.ts";
import { refusalText } from "../policy/refusal.ts";
import type { Finding } from "./finding.ts";

/** So many refusals of one command line are told; the others are counted. */
const TOLD = 3;

/** A refusal of what cannot be known. */
function unknownText({ tool, unknown, source }: Finding): string {
	const names = unknown.slice(0, TOLD).map(quote).join(", ");
	return [
		`tmx: ${quote(tool)}: policy_denied: which file ${names} is cannot be known before it runs; nothing was run`,
		`  in: ${quote(source)}`,
		"  next: spell the path out, or ask the person whose machine this is",
		"",
	].join("\n");
}

/** A refusal that no rule of a guardfile gave, in the same form. */
function ownText({ tool, verdict, source }: Finding): string {
	const refused = verdict.decision === "deny" ? verdict.refused[0] : undefined;
	const text = refused?.operand.text ?? source;
	return [
		`tmx: ${quote(tool)}: policy_denied: ${quote(text)}: ${refused?.why ?? ""}; nothing was run`,
		`  in: ${quote(source)}`,
		"  next: leave it as it is, or ask the person whose machine this is",
		"",
	].join("\n");
}

function textOf(finding: Finding): string {
	const { verdict, tool, source, argv } = finding;
	if (verdict.decision !== "deny") return unknownText(finding);
	if (verdict.gate === "tmx") return ownText(finding);
	const where = source === argv.join(" ") ? "" : `  in: ${quote(source.slice(0, 300))}\n`;
	return refusalText(tool, verdict, finding.policy).replace(/^( {2}rule: )/m, () => `${where}  rule: `);
}

/** The reason of a refusal; never empty. */
export function denyText(findings: Finding[]): string {
	const told = findings.slice(0, TOLD).map(textOf);
	if (findings.length > TOLD) told.push(`and ${findings.length - TOLD} more of this command are refused\n`);
	return told.join("");
}

/** What the person is asked. */
export function askText(findings: Finding[]): string {
	const [first] = findings;
	return first === undefined ? "" : unknownText(first).replace("policy_denied: ", "").replace("; nothing was run", "");
}
