// The verdict and its evidence; whoever needs to know why reads them, and nothing walks the rules a second time.

import type { Bytes } from "./bytes.ts";
import type { Operand } from "./call.ts";
import type { Root } from "./policy.ts";
import type { Link } from "./resolve.ts";

/** One operand with what became of it. */
export interface Evidence {
	operand: Operand;
	/** The path that the tool would act on. */
	resolved: Bytes;
	/** The links that lead there (filled on refusal and for explain). */
	links: Link[];
	/** The root that holds it. */
	root?: Root;
	/** Why it was refused. */
	why?: string;
}

/** What judging a call comes to. `inert`: no gate is switched on, so nothing was judged and nothing is recorded. */
export type Verdict =
	| { decision: "inert" }
	| { decision: "allow"; gate: string; line: number; guardfile: Bytes; seen: Evidence[]; roots: Root[]; unread: string[] }
	| {
			decision: "deny";
			gate: string;
			line: number;
			guardfile: Bytes;
			/** The refused operands, in order. */
			refused: Evidence[];
			/** Every operand, when the caller asked for all evidence. */
			seen: Evidence[];
			roots: Root[];
			reason: Bytes;
			unread: string[];
	  }
	| { decision: "abstain"; unknown: string[] };
