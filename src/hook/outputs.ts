// What a call writes of a tool that has no policy: judged like a redirection, as far as its words name the file.

import { namesOutputs, outputsOf } from "../operands/outputs/effects.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { Operand } from "../policy/call.ts";
import { baseOf } from "../policy/resolve.ts";
import type { CallEvent } from "../shell/reading.ts";
import type { Finding } from "./finding.ts";
import type { Future } from "./future.ts";
import { argumentsOf, type Holes, textOf } from "./holes.ts";
import type { Session } from "./session.ts";
import { judgeOperands, withAstray } from "./targets.ts";

/** What a call of a tool writes that nothing guards, as far as its words name it. @param unsure the directory may be another one */
export function judgeOutputs(event: CallEvent, session: Session, unsure: boolean): Finding | undefined {
	const { words, source, cwd } = event;
	const tool = words[0] && textOf(words[0]);
	if (tool === undefined || !namesOutputs(baseOf(tool)) || session.policies.tool(baseOf(tool)) !== undefined) return undefined;
	const judged = (directory: Bytes | undefined, future?: Future) => {
		// A relative path that climbs proves nothing where the directory may be another one.
		const climbs = ({ text }: Operand) => unsure && directory === session.cwd && /(^|\/)\.\.(\/|$)/.test(text);
		const operands = (holes: Holes) => outputsOf(argumentsOf(words, holes)).filter((operand) => !climbs(operand));
		return judgeOperands(baseOf(tool), source, operands, directory, session, future);
	};
	let last: Finding | undefined;
	for (const directory of cwd.length === 0 ? [undefined] : cwd) {
		for (const future of session.futures) {
			last = judged(directory, future);
			if (last?.verdict.decision === "deny") return last;
		}
	}
	return withAstray(last, event, session, judged);
}
