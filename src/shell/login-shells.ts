// su, runuser, sg and newgrp: each runs a shell for another user or group, with the words behind the name as the shell's own.

import type { Call } from "./call.ts";
import { endsFor } from "./facts.ts";
import { invokeFile, plainCall } from "./invoke.ts";
import type { Word } from "./reading.ts";
import type { Outcome } from "./state.ts";
import { readOptions } from "./unwrap.ts";
import { known, textOf } from "./words.ts";

/** How a shell is called, and whether it starts in the user's home. */
interface Login {
	shell: Word[];
	moves: boolean;
}

const SU = "-c --command -C --session-command -s --shell -g --group -G --supp-group -w --whitelist-environment -T --pty-type -u --user";

/** su(1), runuser(1): options between the operands up to `--`, then the user; what follows goes to the shell. */
function su(words: readonly Word[], tool: string): Login | undefined {
	const { given, rest } = readOptions(words, SU, true);
	const gives = (names: RegExp) => given.some(({ name }) => names.test(name));
	// With a user of its own, runuser runs a command as any other wrapper does.
	if (tool === "runuser" && gives(/^(-u|--user)$/)) return undefined;
	if (gives(/^(-h|-V|--help|--version)$/)) return { shell: [], moves: false };
	const line = given.findLast(({ name }) => /^(-c|--command|--session-command)$/.test(name))?.value;
	const behind = line === undefined ? rest.slice(1) : [known("-c"), line, ...rest.slice(1)];
	return { shell: [known("sh"), ...behind], moves: gives(/^(-|-l|--login)$/) };
}

/** sg(1), newgrp(1): a group, and for sg one line behind it. */
function group(words: readonly Word[], tool: string): Login {
	const moves = /^-l?$/.test(textOf(words[0]) ?? "");
	const [, first, second] = moves ? words.slice(1) : words;
	const line = tool === "sg" ? (textOf(first) === "-c" ? second : first) : undefined;
	return { shell: line === undefined ? [known("sh")] : [known("sh"), known("-c"), line], moves };
}

/** What one of these runs; undefined for other tools. */
export function loginShell(call: Call, tool: string): Outcome | undefined {
	const { m, state, words } = call;
	if (!/^(su|runuser|sg|newgrp)$/.test(tool)) return undefined;
	const login = /^su|^r/.test(tool) ? su(words.slice(1), tool) : group(words.slice(1), tool);
	if (login === undefined) return undefined;
	if (login.shell.length === 0) return plainCall(call);
	const inner = state.fork();
	if (login.moves) inner.cwd = [];
	// A group of its own leaves PATH as it was.
	const offPath = m.offPath || login.moves || /^(su|runuser)$/.test(tool);
	const outcome = m.within({ via: [...m.via, tool], offPath }, () => invokeFile({ m, state: inner, words: login.shell }));
	return endsFor(state, outcome);
}
