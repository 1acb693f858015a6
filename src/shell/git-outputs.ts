// What git prints of itself: the name of a branch or a commit, and the top of the work tree.

import type { Bytes } from "../policy/bytes.ts";
import { repositoryAt, setting, settingsOf } from "../sys/git-settings.ts";
import type { Call } from "./call.ts";
import { textOf } from "./words.ts";

/** One line that is a name and no path out, or a text that is known. */
type Printed = { name: true } | { text: Bytes };

/** Variables by which a work tree is another one. */
const ELSEWHERE = ["GIT_DIR", "GIT_WORK_TREE"];

/** The top of the work tree, where nothing on the line could have made another one. */
function topLevel({ m, state }: Call): Printed | undefined {
	const { read } = m.around.files;
	const [directory, other] = state.cwd;
	if (read === undefined || directory === undefined || other !== undefined || m.world.made || m.env.length > 0) return undefined;
	if (ELSEWHERE.some((name) => m.around.env(name) || state.variables.get(name) !== undefined)) return undefined;
	const files = { ...m.around.files, read };
	const repository = repositoryAt(files, m.around.files.real(directory, true) || directory);
	if (repository === undefined || setting(settingsOf(files, repository), "core.worktree") !== undefined) return undefined;
	return { text: repository.top };
}

/** What a call of git prints; undefined where that is not known. */
export function gitPrints(call: Call): Printed | undefined {
	const words = call.words.slice(1).map((word) => textOf(word) ?? "");
	if (words.join(" ") === "rev-parse --show-toplevel") return topLevel(call);
	const command = words.find((word) => !word.startsWith("-"));
	if (command === "branch" && words.includes("--show-current")) return { name: true };
	return command === "rev-parse" && words.at(-1) === "HEAD" ? { name: true } : undefined;
}
