// What the gates see of the process that a hook runs in: its environment and its user.

import type { Bytes } from "../policy/bytes.ts";
import type { World } from "../policy/policy.ts";
import { Resolver } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";

/** The world of this process. The user database is asked when somebody wants to know: it may be on another machine. */
export function worldOfText(system: System): World {
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
			passwdHome ??= system.passwdHome(uid);
			return passwdHome;
		},
		uid,
		look: new Resolver(system),
	};
}
