// tmx ps: the scopes of tool shells, once, live, or as JSON Lines.

import { setTimeout } from "node:timers/promises";
import { scopesOf } from "../confine/scopes.ts";
import { EXIT } from "../sys/exit.ts";
import { command, fail, print } from "./command.ts";
import { managerHere } from "./confine/here.ts";
import { json, table } from "./confine/table.ts";
import { screenOf } from "./screen.ts";

const EVERY_MS = 1000;

export default command({
	args: {
		json: { type: "boolean", description: "print one JSON object a scope, one a line" },
		watch: { type: "boolean", alias: "w", description: "show the table anew every second, on a terminal" },
	},
	async run({ system, args }) {
		const manager = managerHere(system, "ps");
		if (typeof manager === "number") return manager;
		if (args.watch && (args.json || !process.stdout.isTTY)) {
			return fail(system, "ps", "user_error", "--watch is for a terminal, and without --json");
		}
		do {
			const scopes = scopesOf(manager);
			if (args.json) print(system, scopes.map(json).join(""));
			// Home, the table, and away with what was below it: no flicker.
			else print(system, (args.watch ? "\x1b[H" : "") + table(scopes, screenOf(system)) + (args.watch ? "\x1b[J" : ""));
			if (args.watch) await setTimeout(EVERY_MS);
		} while (args.watch);
		return EXIT.ok;
	},
});
