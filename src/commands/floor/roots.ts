// Which directories may be changed when nobody names them: the checkout, else the working directory.

import { dotGitOf } from "../../floor/git.ts";
import { absolute } from "../../guardfile/sources.ts";
import { type Bytes, quote } from "../../policy/bytes.ts";
import { isBelow, parentOf } from "../../policy/resolve.ts";
import type { System } from "../../sys/system.ts";

function whyNot(system: System, real: Bytes | undefined): string | undefined {
	if (real === undefined || real === "") return "there is no such directory";
	if (real === "/") return "it is the whole machine";
	const homes = [system.env("HOME") ?? "", system.passwdHome(system.uid())].map((home) =>
		home.startsWith("/") ? system.real(home, true) : "",
	);
	if (homes.includes(real)) return "it is the home directory";
	return homes[1] && isBelow(homes[1], real) ? "it contains the home directory" : undefined;
}

/** The roots by their real paths, or what is wrong with one. */
export function rootsOf(system: System, texts: readonly Bytes[]): { roots: Bytes[] } | { wrong: string } {
	const roots: Bytes[] = [];
	for (const text of texts) {
		const real = system.real(absolute(system, text), true);
		const why = whyNot(system, real);
		if (why !== undefined) return { wrong: `--root ${quote(text)} does not count: ${why}` };
		roots.push(real as Bytes);
	}
	if (roots.length > 0) return { roots };
	const here = system.real(".", true) ?? "";
	const dotGit = here === "" ? undefined : dotGitOf(system, here);
	const top = dotGit === undefined ? here : parentOf(dotGit);
	const root = whyNot(system, top) === undefined ? top : here;
	const why = whyNot(system, root);
	return why === undefined
		? { roots: [root] }
		: { wrong: `${quote(root)}, the working directory, does not count: ${why}; name one with --root DIR` };
}
