// tmx help: the pages beside the code, out of the binary.

import defaultGuardfile from "../guardfile/default.kdl" with { type: "text" };
import { didYouMean } from "../guardfile/nearest.ts";
import { fromText, quote } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import { command, fail, print } from "./command.ts";
import { rowsOf } from "./completions/rows.ts";
import { PAGES } from "./help/pages.ts";
import { render } from "./help/render.ts";
import { manualPage } from "./manual/roff.ts";
import { labelled, screenOf } from "./screen.ts";

/** The topic that is no page but the default policy itself, to be saved and changed. */
const DEFAULT = { topic: "default.kdl", summary: "the guardfile in the binary, to save and change: tmx help default.kdl >my.kdl" };

export default command({
	args: { man: { type: "boolean", description: "print the manual page tmx(1), for man(1)" } },
	operands: {
		name: "TOPIC",
		description: "a page, or a command; without one, the list of pages",
		least: 0,
		most: 1,
		choices: (commands) => [...new Set([...Object.keys(PAGES), DEFAULT.topic, ...commands])],
	},
	async run({ system, args, operands: [topic], catalogue }) {
		if (args.man && topic !== undefined) return fail(system, "help", "user_error", "--man is the one manual page, and takes no topic");
		if (args.man) {
			print(system, manualPage(rowsOf(await catalogue())));
			return EXIT.ok;
		}
		const screen = screenOf(system);
		const topics = [...Object.keys(PAGES), DEFAULT.topic];
		if (topic === undefined) {
			const list = labelled(
				topics.map((name) => [name, PAGES[name]?.summary ?? DEFAULT.summary]),
				screen,
			);
			print(
				system,
				`"tmx help TOPIC" shows a page:\n\n${list}\n"tmx --help" lists the commands; "tmx COMMAND --help" or "tmx help COMMAND" explains one.\n`,
			);
			return EXIT.ok;
		}
		if (topic === DEFAULT.topic) {
			print(system, defaultGuardfile);
			return EXIT.ok;
		}
		const page = PAGES[topic];
		if (page) {
			print(system, render(page.text, screen));
			return EXIT.ok;
		}
		const known = `known are ${topics.join(", ")}, and the names of commands`;
		return fail(system, "help", "user_error", `there is no page ${quote(fromText(topic))}${didYouMean(topic, topics)}; ${known}`);
	},
});
