// tmx check: say what is wrong with guardfiles, and write nothing.

import { EXIT } from "../sys/exit.ts";
import { command } from "./command.ts";

export default command({
	args: {},
	operands: { name: "FILE...", description: "guardfiles, read together as one policy", least: 1, most: Number.POSITIVE_INFINITY },
	run: () => EXIT.ok,
});
