// What a shell with this PATH runs under each guarded name, and what the shim would become.

import { type Bytes, quote } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";
import { elements, firstOf, type Spot, spotsOf, toolsOf } from "../on-path.ts";
import { check, type Finding, type Patient, usable } from "./check.ts";
import { isSticky, othersWrite } from "./permissions.ts";

type Problem = "no-directory" | "behind" | "missing" | "other-shim" | "no-tool" | "wrapper" | "relative" | "writable";
type Found = Finding & { advice?: Problem };

/** The elements of PATH up to the shims: what stands there comes before them. */
function before(system: System, shims: Bytes): Bytes[] {
	const all = elements(system);
	const id = system.identity(shims)?.id;
	const at = all.findIndex((element) => system.identity(element || ".")?.id === id);
	return at < 0 ? all : all.slice(0, at);
}

/** Elements of PATH that mean another place in each directory, or that others can put a program into. */
function places(system: System, shims: Bytes): Found[] {
	const early = before(system, shims);
	const findings: Found[] = [];
	elements(system).forEach((element, k) => {
		const directory = element === "" ? "." : element;
		if (!directory.startsWith("/")) {
			const found = "means another place in each directory, and find -execdir refuses to run";
			findings.push({ status: "warn", subject: element === "" ? "an empty element" : quote(element), found, advice: "relative" });
		}
		const file = system.identity(directory);
		if (file && k < early.length && othersWrite(file) && !isSticky(file)) {
			const found = "others can write it, and it comes before the shims";
			findings.push({ status: "warn", subject: quote(element), found, advice: "writable" });
		}
	});
	return findings;
}

/** What the shim of a tool would become. */
function behind(system: System, exec: Bytes, spots: Spot[]): { found: string; advice?: Problem } {
	if (exec.startsWith("/")) {
		if (system.identity(exec)) return { found: `becomes ${quote(exec)}` };
		return { found: `would become ${quote(exec)}, which does not exist`, advice: "no-tool" };
	}
	const [first, second] = toolsOf(spots);
	if (first === undefined) return { found: "there is nothing behind it", advice: "no-tool" };
	const found = `becomes ${quote(first.path)}`;
	return second ? { found: `${found}; ${quote(second.path)} stands behind that`, advice: "wrapper" } : { found };
}

function toolFinding(system: System, tool: Bytes, exec: Bytes, shims: Bytes): Found {
	const spots = spotsOf(system, tool, shims);
	const first = firstOf(spots);
	const subject = quote(tool);
	if (first?.kind !== "shim") {
		const shim = spots.find(({ kind }) => kind === "shim");
		const runs = first ? `a shell runs ${quote(first.path)}` : "a shell finds nothing";
		if (shim) return { status: "fail", subject, found: `${runs}, and the shim ${quote(shim.path)} only behind it`, advice: "behind" };
		return { status: "fail", subject, found: `${runs}, and no shim`, advice: "missing" };
	}
	const { found, advice } = behind(system, exec, exec === tool ? spots : spotsOf(system, exec, shims));
	const words = `${quote(first.path)} ${found}`;
	if (advice === "no-tool") return { status: "fail", subject, found: words, advice };
	const same = system.identity(first.directory || ".")?.id === system.identity(shims)?.id;
	if (!same) return { status: "warn", subject, found: `${words}; this shim is of another directory`, advice: "other-shim" };
	return advice ? { status: "warn", subject, found: words, advice } : { status: "ok", subject, found: words };
}

/** The tools that have a shim in the directory, or should. */
function withShim(patient: Patient): [tool: string, exec: Bytes][] {
	const { system, choice, manifest } = patient;
	const tools = usable(patient).map(([tool, { policy }]) => [tool, policy.exec] as [string, Bytes]);
	const made = manifest?.links ?? [];
	return tools.filter(([tool]) => made.includes(tool) || system.kind(`${choice.directory}/${tool}`, false) !== undefined);
}

export const path = check<Problem>({
	name: "PATH",
	advice: {
		"no-directory":
			'"tmx install --write" makes one and puts it first on PATH, for your next shell; "tmx build --out DIR" makes one elsewhere',
		behind: "put the shim directory before that one on PATH, also in what a login shell reads",
		missing: "put the shim directory first on PATH",
		"other-shim": "that directory's policy applies; take one of the two off PATH, or name it with --policy",
		"no-tool": "install the tool, or take it out of the guardfile: now its shim ends in exit 4",
		wrapper: "nothing, when that is a wrapper of yours: a chain of wrappers ends in the last one",
		relative: "take it off PATH",
		writable: "chmod go-w, or put it behind the shims",
	},
	run(patient) {
		const { system, choice } = patient;
		if (choice.directory === "") {
			return [{ status: "fail", subject: "shims", found: "no shim directory is on PATH or installed", advice: "no-directory" }];
		}
		const tools = withShim(patient).map(([tool, exec]) => toolFinding(system, tool, exec, choice.directory));
		return [...tools, ...places(system, choice.directory)];
	},
});
