// The policy of a session: the one that is in use here, with the session's directories in it as values.

import { gates } from "../gates/index.ts";
import { type Choice, choosePolicy } from "../guardfile/choose.ts";
import { compile, fromHeld } from "../guardfile/compile.ts";
import { DEFAULT_POLICIES } from "../guardfile/default.compiled.ts";
import { FLOOR } from "../guardfile/floor.ts";
import { policyOf, type Unusable } from "../guardfile/load.ts";
import { type Manifest, manifestIn } from "../guardfile/manifest.ts";
import { type Bytes, quote } from "../policy/bytes.ts";
import { type Fixed, SESSION_FORMAT, type ToolPolicy } from "../policy/policy.ts";
import type { System } from "../sys/system.ts";
import { worldHere } from "./roots.ts";

/** A policy to make a session's of. */
export interface Base {
	choice: Choice;
	/** By the names of their files without `.json`. */
	policies: ReadonlyMap<Bytes, ToolPolicy>;
	/** The names of the shims. */
	links: Bytes[];
	/** The guardfiles that it was built from. */
	guardfiles: Manifest["guardfiles"];
}

const SUFFIX = ".json";

/** The policies in a shim directory, each read and refused as its shim would. */
function fromDirectory(system: System, choice: Choice): Base | Unusable {
	const { directory } = choice;
	const names = (system.list(`${directory}/policy`) ?? []).map(({ name }) => name).filter((name) => name.endsWith(SUFFIX));
	const policies = new Map<Bytes, ToolPolicy>();
	for (const name of names.map((one) => one.slice(0, -SUFFIX.length)).sort()) {
		if (name === "manifest" || `${name}${SUFFIX}` === FLOOR) continue;
		const policy = policyOf(system, directory, name);
		if ("unusable" in policy) return policy;
		policies.set(name, policy);
	}
	const manifest = manifestIn(system, directory);
	const made = manifest?.links ?? [...policies.keys()];
	const links = made.filter((name) => policies.has(name) && system.kind(`${directory}/${name}`, false) !== undefined);
	if (links.length === 0) return { unusable: `${quote(directory)} has no shim of any tool; "tmx build --out DIR" makes them` };
	return { choice, policies, links, guardfiles: manifest?.guardfiles ?? [] };
}

/** The policy to make a session's of: the one that is named, else the one that commands use here. */
export function baseFor(system: System, named: Bytes | undefined): Base | Unusable {
	const choice = choosePolicy(system, named);
	if ("unusable" in choice) return choice;
	if (choice.directory !== "") return fromDirectory(system, choice);
	// As the binary's own policy has it: the audit lies below the home of the passwd entry.
	const nobody = { uid: -1, home: worldHere(system).passwdHome, audit: "" };
	const { policies, links } = compile(fromHeld(DEFAULT_POLICIES, "default.kdl"), nobody);
	return { choice, policies, links, guardfiles: [] };
}

/** The directories that a policy lets be changed as it stands here, by their real paths. */
export function allowedBy(system: System, { policies }: Pick<Base, "policies">): Bytes[] {
	const world = worldHere(system);
	const found = new Set<Bytes>();
	for (const { gates: rules } of policies.values()) {
		for (const { gate, settings } of rules) {
			for (const root of gates.get(gate)?.activate(settings, world)?.roots() ?? []) if (root.real !== "") found.add(root.real);
		}
	}
	return [...found];
}

/** The same policies for one session. */
export function policiesFor(base: Base, id: string, fixed: Fixed, floor: boolean): Map<Bytes, ToolPolicy> {
	const fix = (policy: ToolPolicy): ToolPolicy => ({
		...policy,
		format: SESSION_FORMAT,
		session: id,
		...(floor && { floor: true as const }),
		gates: policy.gates.map((rule) => ({ ...rule, settings: gates.get(rule.gate)?.fix(rule.settings, fixed) ?? rule.settings })),
	});
	return new Map([...base.policies].map(([name, policy]) => [name, fix(policy)]));
}
