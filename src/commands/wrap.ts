// tmx wrap: become a command, guarded: its shims, its directories and its confinement, for this session and in no file of the person's.

import { FRAGMENT, run, say } from "../launch/door.ts";
import { planOf } from "../launch/plan.ts";
import { fromText } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import { command, fail, print } from "./command.ts";
import { screenOf } from "./screen.ts";
import { enterShadow, leave } from "./wrap/shadow.ts";
import { launchData, launchText } from "./wrap/show.ts";

export default command({
	args: {
		root: {
			type: "string",
			valueHint: "DIR",
			description:
				"a directory that the session may change, repeatable (default: the git checkout, else this directory; $TMPDIR is always one)",
		},
		policy: {
			type: "string",
			valueHint: "DIR",
			description: "the shim directory whose policy is taken (default: the installed one, else the built-in one)",
		},
		"no-hook": { type: "boolean", description: "start the agent without our hook on its command line" },
		"no-confine": { type: "boolean", description: "do not move tool shells into scopes" },
		shadow: {
			type: "boolean",
			description: "work in a worktree of its own, on a branch of its own; nothing else of the repository may be changed",
		},
		"dry-run": { type: "boolean", description: "print what would be set and run, and do nothing" },
		json: { type: "boolean", description: "with --dry-run: print one JSON object" },
	},
	lists: ["root"],
	rest: { name: "COMMAND [ARG...]", description: "what to become, with all its words" },
	async run({ system, args, values, rest }) {
		const wrong = (words: string) => fail(system, "wrap", "user_error", words);
		if (rest === undefined || rest.length === 0) return wrong('the command stands after "--": tmx wrap -- codex');
		if (args.json && !args["dry-run"]) return wrong("--json goes with --dry-run");
		if (args.shadow && args["dry-run"]) return wrong("a shadow is there only when it is made, so --dry-run goes without --shadow");
		const shadow = args.shadow ? enterShadow(system) : undefined;
		if (shadow && "failure" in shadow) return fail(system, "wrap", shadow.failure, shadow.why);
		const roots = (values.get("root") ?? []).map(fromText);
		const policy = args.policy === undefined ? undefined : fromText(args.policy);
		const wanted = { roots, policy, hook: !values.has("no-hook"), confine: !values.has("no-confine"), command: rest, fragment: FRAGMENT };
		if (shadow) wanted.roots.unshift(shadow.root);
		if (!args["dry-run"]) {
			const status = await run(system, wanted);
			// It did not become COMMAND, so nothing has run in it.
			if (shadow) leave(system, shadow);
			return status;
		}
		const launch = await planOf(system, wanted, false);
		if ("failure" in launch) return say(system, launch);
		print(system, args.json ? `${JSON.stringify(launchData(launch))}\n` : launchText(launch, screenOf(system)));
		return EXIT.ok;
	},
});
