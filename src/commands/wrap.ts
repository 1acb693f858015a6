// tmx wrap: become a command, guarded: its shims, its directories and its confinement, for this session and in no file of the person's.

import { didYouMean } from "../guardfile/nearest.ts";
import { FRAGMENT, run, say } from "../launch/door.ts";
import { FLOOR_WISHES, floorWord } from "../launch/floor/choice.ts";
import { planOf } from "../launch/plan.ts";
import { fromText, quote } from "../policy/bytes.ts";
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
		floor: {
			type: "string",
			valueHint: "HOW",
			description:
				"let the kernel refuse what is outside: alone as far as it can; require: else do not start; instead: switch the agent's own sandbox off",
		},
		"no-floor": { type: "boolean", description: "set no floor, whatever the guardfile says" },
		"dry-run": { type: "boolean", description: "print what would be set and run, and do nothing" },
		json: { type: "boolean", description: "with --dry-run: print one JSON object" },
	},
	lists: ["root"],
	alone: { floor: "on" },
	choices: { floor: () => FLOOR_WISHES },
	rest: { name: "COMMAND [ARG...]", description: "what to become, with all its words" },
	async run({ system, args, values, rest }) {
		const wrong = (words: string) => fail(system, "wrap", "user_error", words);
		if (rest === undefined || rest.length === 0) return wrong('the command stands after "--": tmx wrap -- codex');
		if (args.json && !args["dry-run"]) return wrong("--json goes with --dry-run");
		if (args.shadow && args["dry-run"]) return wrong("a shadow is there only when it is made, so --dry-run goes without --shadow");
		const named = values.get("floor")?.[0];
		const floor = values.has("no-floor") ? ("off" as const) : named === undefined ? undefined : floorWord(`--floor=${named}`);
		if (named !== undefined && values.has("no-floor")) return wrong("--floor and --no-floor ask for different things");
		if (named !== undefined && floor === undefined) {
			return wrong(`--floor takes ${FLOOR_WISHES.join(", ")} and no ${quote(fromText(named))}${didYouMean(named, FLOOR_WISHES)}`);
		}
		const shadow = args.shadow ? enterShadow(system) : undefined;
		if (shadow && "failure" in shadow) return fail(system, "wrap", shadow.failure, shadow.why);
		const roots = (values.get("root") ?? []).map(fromText);
		if (shadow) roots.unshift(shadow.root, shadow.worktree);
		const policy = args.policy === undefined ? undefined : fromText(args.policy);
		const wanted = {
			roots,
			policy,
			hook: !values.has("no-hook"),
			confine: !values.has("no-confine"),
			floor,
			command: rest,
			fragment: FRAGMENT,
		};
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
