// tmx help: the pages beside the code, out of the binary.

import defaultGuardfile from "../guardfile/default.kdl" with { type: "text" };
import { didYouMean } from "../guardfile/nearest.ts";
import { fromText, quote } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import { command, fail, print } from "./command.ts";
import { PAGES } from "./help/pages.ts";
import { render } from "./help/render.ts";
import { labelled, screenOf } from "./screen.ts";

/** The topic that is no page but the default policy itself, to be saved and changed. */
const DEFAULT = { topic: "default.kdl", summary: "the guardfile in the binary, to save and change: tmx help default.kdl >my.kdl" };

export default command({
	args: {},
	operands: { name: "TOPIC", description: "a page; without one, the list of them", least: 0, most: 1 },
	run({ system, operands: [topic] }) {
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
