// Whether the policy is there, readable by this tmx, and out of other people's reach.

import { untrusted } from "../../guardfile/load.ts";
import { type Bytes, quote } from "../../policy/bytes.ts";
import { parentOf } from "../../policy/resolve.ts";
import type { System } from "../../sys/system.ts";
import { policyWords } from "../policy-words.ts";
import { check, type Finding, type Patient } from "./check.ts";
import { isSticky } from "./permissions.ts";

type Problem = "unusable" | "unsafe" | "empty" | "built-in";
type Found = Finding & { advice?: Problem };

/** Directories that somebody else could put another policy into; one above that is sticky lets nobody rename what is ours. */
function unsafe(system: System, shims: Bytes): Found[] {
	const real = system.real(shims, true) ?? "";
	const found: Found[] = [];
	const look = (directory: Bytes, above: boolean) => {
		const file = system.identity(directory);
		if (file === undefined || (above && isSticky(file))) return;
		const why = untrusted(system, file);
		if (why) found.push({ status: "fail", subject: quote(directory), found: why, advice: "unsafe" });
	};
	look(`${shims}/policy`, false);
	look(real, false);
	for (let directory = real; directory !== "/" && directory !== ""; ) {
		directory = parentOf(directory);
		look(directory, true);
	}
	return found;
}

function toolFindings({ tools }: Patient): Found[] {
	const found: Found[] = [];
	for (const [tool, loaded] of tools) {
		if ("unusable" in loaded) found.push({ status: "fail", subject: quote(tool), found: loaded.unusable, advice: "unusable" });
	}
	if (tools.size === 0) return [{ status: "fail", subject: "tools", found: "no tool is guarded", advice: "empty" }];
	if (found.length > 0) return found;
	return [{ status: "ok", subject: "tools", found: [...tools.keys()].map(quote).join(" ") }];
}

export const policy = check<Problem>({
	name: "policy",
	advice: {
		unusable: 'build it again with "tmx build"; until then its shim ends in exit 4',
		unsafe: "chown it to this user or root, and chmod go-w",
		empty: 'write a wrap into the guardfile, and build it again with "tmx build"',
		"built-in": '"tmx build --out DIR" makes a policy and shims of your own',
	},
	run(patient) {
		const { system, choice } = patient;
		const found = policyWords(choice);
		if (choice.directory === "") return [{ status: "warn", subject: "in use", found, advice: "built-in" }, ...toolFindings(patient)];
		return [{ status: "ok", subject: "in use", found }, ...toolFindings(patient), ...unsafe(system, choice.directory)];
	},
});
