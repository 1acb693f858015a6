// tmx help: the pages beside the code, out of the binary.

import { didYouMean } from "../guardfile/nearest.ts";
import { fromText, quote } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import { command, fail, print } from "./command.ts";
import { PAGES } from "./help/pages.ts";
import { render } from "./help/render.ts";
import { labelled, screenOf } from "./screen.ts";

export default command({
	args: {},
	operands: { name: "TOPIC", description: "a page; without one, the list of them", least: 0, most: 1 },
	run({ system, operands: [topic] }) {
		const screen = screenOf(system);
		const topics = Object.keys(PAGES);
		if (topic === undefined) {
			const list = labelled(
				topics.map((name) => [name, PAGES[name]?.summary ?? ""]),
				screen,
			);
			print(
				system,
				`"tmx help TOPIC" shows a page:\n\n${list}\n"tmx --help" lists the commands; "tmx COMMAND --help" or "tmx help COMMAND" explains one.\n`,
			);
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
