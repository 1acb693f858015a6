// tmx allow: a person lets a session that runs change one directory more, from a terminal of their own.

import { allow } from "../launch/allow.ts";
import { runningSessions } from "../launch/record.ts";
import { fromText, quote } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import { command, fail, print } from "./command.ts";
import { note } from "./note.ts";
import { rowsOf } from "./wrap/sessions.ts";

export default command({
	args: {
		session: { type: "string", valueHint: "ID", description: "which session, where several run" },
		list: { type: "boolean", description: "show the sessions that run, and change nothing" },
		json: { type: "boolean", description: "with --list: print one JSON object a session, one a line" },
	},
	operands: {
		name: "DIR",
		description: "the directory that it may change from now on, with all that lies below",
		least: 0,
		most: 1,
		choices: "directory",
	},
	run({ system, args, operands: [directory] }) {
		if (args.list) {
			const sessions = runningSessions(system).map(({ session }) => session);
			print(system, rowsOf(sessions, args.json === true));
			return EXIT.ok;
		}
		if (args.json) return fail(system, "allow", "user_error", "--json goes with --list");
		if (directory === undefined) return fail(system, "allow", "user_error", "needs DIR; --list shows the sessions that run");
		const result = allow(system, fromText(directory), args.session);
		if ("failure" in result) return fail(system, "allow", result.failure, result.why);
		const { session, real, already } = result;
		if (session.floor) {
			const words = "it has a floor, and that stays as it is: programs write there only where the floor is open";
			note(system, "allow", `${words} ("tmx floor --test ${quote(real)}")`);
		}
		print(system, `session ${session.id} ${already ? "could change" : "may now change"} ${quote(real)}\n`);
		return EXIT.ok;
	},
});
