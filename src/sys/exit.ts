// Exit codes and the form of every message: a public contract.

/** What the exit status says. `found but not runnable` and `not found` are env(1)'s. */
export const EXIT = {
	ok: 0,
	policy_denied: 2,
	internal: 4,
	user_error: 5,
	not_runnable: 126,
	not_found: 127,
} as const;

export type Failure = Exclude<keyof typeof EXIT, "ok">;

/** The one form of a message: who speaks, for which tool, what kind, and the words. */
export function message(tool: string, kind: Failure, words: string): string {
	return `tmx: ${tool}: ${kind}: ${words}\n`;
}
