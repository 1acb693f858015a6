// What went wrong while something was installed, and whose fault it is.

import type { Failure } from "../../sys/exit.ts";

export interface Problem {
	kind: Extract<Failure, "internal" | "user_error">;
	words: string;
}

export const internal = (words: string): Problem => ({ kind: "internal", words });
export const userError = (words: string): Problem => ({ kind: "user_error", words });
