// The links in the shim directory: that each leads to a tmx that is there.

import { type Bytes, quote } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";
import { check, type Finding } from "./check.ts";
import { othersWrite } from "./permissions.ts";

type Problem = "dangling" | "missing" | "other" | "none" | "not-executable" | "writable";
type Found = Finding & { advice?: Problem };

function linkFinding(system: System, shim: Bytes, subject: string): Found {
	const file = system.identity(shim);
	if (system.kind(shim, false) === undefined) {
		return { status: "fail", subject, found: "was made by the build, and is gone", advice: "missing" };
	}
	if (file === undefined) {
		const to = system.readlink(shim) ?? "";
		return { status: "fail", subject, found: `leads to ${quote(to)}, which does not exist: a shell passes it by`, advice: "dangling" };
	}
	const real = system.real(shim, false) ?? shim;
	if (!system.executable(shim)) return { status: "fail", subject, found: `${quote(real)} is not executable`, advice: "not-executable" };
	if (othersWrite(file)) return { status: "fail", subject, found: `others can write ${quote(real)}`, advice: "writable" };
	if (system.identity("/proc/self/exe")?.id === file.id) return { status: "ok", subject, found: `is this tmx, ${quote(real)}` };
	return { status: "warn", subject, found: `is ${quote(real)}, and not this tmx`, advice: "other" };
}

/** Shims that say the same, together: `rm mv find`. */
function together(findings: Found[]): Found[] {
	const groups = new Map<string, Found>();
	for (const finding of findings) {
		const key = `${finding.status} ${finding.found}`;
		const group = groups.get(key);
		groups.set(key, group ? { ...group, subject: `${group.subject} ${finding.subject}` } : finding);
	}
	return [...groups.values()];
}

export const shims = check<Problem>({
	name: "shims",
	advice: {
		dangling: 'the tool is unguarded: put the binary back, or build again with "tmx build"',
		missing: 'the tool is unguarded: build again with "tmx build"',
		other: "see that it is a tmx of a version that you mean, or build again with this one",
		none: "the guardfile has no wrap with `replace`, so nothing is guarded on PATH",
		"not-executable": "chmod +x, or build again with this tmx",
		writable: "chmod go-w",
	},
	run({ system, choice, tools, manifest }) {
		if (choice.directory === "") return [];
		const made = new Set(manifest?.links ?? []);
		for (const tool of tools.keys()) if (system.kind(`${choice.directory}/${tool}`, false) !== undefined) made.add(tool);
		if (made.size === 0) return [{ status: "fail", subject: "links", found: "there is no shim of any guarded tool", advice: "none" }];
		return together([...made].sort().map((tool) => linkFinding(system, `${choice.directory}/${tool}`, quote(tool))));
	},
});
