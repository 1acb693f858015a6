// tmx confine: print the fragment that confines tool shells, or bring it into the shell snapshots that are there.

import fragment from "../../shims/tool-confine.sh" with { type: "text" };
import { addLines } from "../confine/snapshots.ts";
import { fromText, quote } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import { command, fail, print } from "./command.ts";
import { installedFragment, lineHere } from "./confine/places.ts";

export default command({
	args: {
		snapshots: { type: "string", valueHint: "DIR", description: "have each shell snapshot in DIR source the installed fragment, once" },
		fragment: { type: "string", valueHint: "FILE", description: "with --snapshots: the fragment, where it is not the installed one" },
	},
	run({ system, args }) {
		if (args.snapshots === undefined) {
			print(system, fragment);
			return EXIT.ok;
		}
		const path = args.fragment ?? installedFragment(system);
		if (path === undefined) return fail(system, "confine", "internal", "this user has no home directory to install the fragment in");
		if (system.identity(fromText(path)) === undefined) {
			return fail(system, "confine", "user_error", `${quote(fromText(path))} is not installed; run "tmx install --snapshots"`);
		}
		const touched = addLines(args.snapshots, lineHere(path));
		for (const { path: snapshot, did } of touched) {
			if (typeof did === "object") fail(system, "confine", "internal", `${quote(fromText(snapshot))}: ${did.failed}`);
			else print(system, `${did === "added" ? "added to" : "is in"} ${quote(fromText(snapshot))}\n`);
		}
		return touched.some(({ did }) => typeof did === "object") ? EXIT.internal : EXIT.ok;
	},
});
