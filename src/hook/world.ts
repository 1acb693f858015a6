// What the gates see of the process that a hook runs in: its environment and its user.

import { passwdHomeUnder } from "../guardfile/load.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { World } from "../policy/policy.ts";
import { Resolver } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import type { Policies } from "./policies.ts";

/** The home in the user's passwd entry. */
function homeOf(system: System, policies: Policies, uid: number): Bytes {
	for (const policy of [policies.files(), policies.tool("rm")])
		if (policy !== undefined && !("unusable" in policy)) return passwdHomeUnder(system, policy, uid);
	return system.passwdHome(uid);
}

/**
 * The world of this process.
 * @param policies where the user's home may be known from
 */
export function worldOfText(system: System, policies: Policies): World {
	const uid = system.uid();
	const variables = new Map<string, Bytes>();
	const env = (name: string) => {
		const known = variables.get(name);
		if (known !== undefined) return known;
		const value = system.env(name) ?? "";
		variables.set(name, value);
		return value;
	};
	let passwdHome: string | undefined;
	return {
		env,
		home: env("HOME"),
		get passwdHome() {
			passwdHome ??= homeOf(system, policies, uid);
			return passwdHome;
		},
		uid,
		look: new Resolver(system),
	};
}
