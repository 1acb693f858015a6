// The variables that switch the gates on, and what became of each directory that they name.

import { type Bytes, quote } from "../../policy/bytes.ts";
import type { Root } from "../../policy/policy.ts";
import { worldOf } from "../../shim.ts";
import { variablesOf } from "../explain/explanation.ts";
import { check, type Finding, type Patient, usable } from "./check.ts";

/** Every variable of every gate, with its value. */
function variables(patient: Patient): Map<string, Bytes> {
	const found = usable(patient).flatMap(([, bound]) => variablesOf(patient.system, bound));
	return new Map(found.map(({ name, value }) => [name, value]));
}

/** Every root of every gate that is switched on, each once. */
function roots(patient: Patient): Root[] {
	const found = new Map<string, Root>();
	for (const [, bound] of usable(patient)) {
		const world = worldOf(patient.system, bound);
		for (const { gate, rule } of bound.rules) {
			for (const root of gate.activate(rule.settings, world)?.roots() ?? []) found.set(`${root.from}\0${root.text}`, root);
		}
	}
	return [...found.values()];
}

export const variableCheck = check({
	name: "variables",
	advice: {
		inert: "set one of them to the directories that the session may change, separated by colons; until then every call passes unjudged",
	},
	run(patient) {
		const all = [...variables(patient)];
		const isSet = all.some(([, value]) => value !== "");
		return all.map(([name, value]) => {
			if (value !== "") return { status: "ok", subject: quote(name), found: quote(value) };
			const found = isSet ? "is not set" : "is not set, and no other either: nothing is judged";
			return isSet ? { status: "ok", subject: quote(name), found } : { status: "warn", subject: quote(name), found, advice: "inert" };
		});
	},
});

export const rootCheck = check({
	name: "roots",
	advice: {
		dropped: "name an existing directory by its absolute path, neither a home nor what contains one",
		none: "no directory is left to work in, so every guarded call is refused: name one that counts",
	},
	run(patient) {
		const all = roots(patient);
		const findings: (Finding & { advice?: "dropped" | "none" })[] = all.map(({ text, real, from, dropped }) => {
			if (dropped) return { status: "warn", subject: quote(text), found: `${from}: does not count, ${dropped}`, advice: "dropped" };
			return { status: "ok", subject: quote(text), found: text === real ? from : `${from}: is ${quote(real)}` };
		});
		if (all.length > 0 && all.every(({ dropped }) => dropped)) {
			findings.push({ status: "fail", subject: "all", found: "none of these directories counts", advice: "none" });
		}
		return findings;
	},
});
