// Whether the policy is the one that its guardfiles would make now.

import { createHash } from "node:crypto";
import { untrusted } from "../../guardfile/load.ts";
import type { Manifest } from "../../guardfile/manifest.ts";
import { quote } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";
import { VERSION } from "../../version.ts";
import { check, type Finding } from "./check.ts";

type Problem = "no-manifest" | "changed" | "gone" | "unsafe" | "version";
type Found = Finding & { advice?: Problem };

function sourceFinding(system: System, { path, sha256 }: Manifest["guardfiles"][number]): Found {
	const subject = quote(path);
	const file = system.open(path);
	if (typeof file === "number") return { status: "warn", subject, found: `cannot be read any more (error ${file})`, advice: "gone" };
	const distrust = untrusted(system, file);
	if (distrust) return { status: "warn", subject, found: distrust, advice: "unsafe" };
	const now = createHash("sha256").update(Buffer.from(file.content, "latin1")).digest("hex");
	if (now === sha256) return { status: "ok", subject, found: "is what the policy was built from" };
	return { status: "warn", subject, found: "has changed since the policy was built", advice: "changed" };
}

function versionFinding({ version, guardfiles }: Manifest): Found {
	const source = guardfiles.length === 0 ? "the built-in guardfile" : `${guardfiles.length} guardfile${guardfiles.length > 1 ? "s" : ""}`;
	const found = `from ${source}, by tmx ${quote(String(version))}`;
	if (version === VERSION) return { status: "ok", subject: "built", found };
	return { status: "warn", subject: "built", found: `${found}; this is ${VERSION}`, advice: "version" };
}

export const guardfile = check<Problem>({
	name: "guardfile",
	advice: {
		"no-manifest": 'build the policy with "tmx build"',
		changed: 'what you wrote is not in force yet: "tmx build" it again',
		gone: 'the policy stands without it; name another one when you "tmx build" again',
		unsafe: "chown it to this user, and chmod go-w, before the next build",
		version: 'an older policy still works; "tmx build" makes a new one',
	},
	run({ system, choice, manifest }) {
		if (choice.directory === "") return [];
		if (manifest === undefined) return [{ status: "warn", subject: "built", found: "there is no manifest", advice: "no-manifest" }];
		return [versionFinding(manifest), ...manifest.guardfiles.map((source) => sourceFinding(system, source))];
	},
});
