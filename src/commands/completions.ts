// tmx completions: a script that completes command lines of tmx, made from the definitions of the commands.

import { didYouMean } from "../guardfile/nearest.ts";
import { fromText, quote } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import { command, fail, print } from "./command.ts";
import { type Shell, scriptFor, shellNames } from "./completions/scripts.ts";

const isShell = (name: string): name is Shell => (shellNames as readonly string[]).includes(name);

export default command({
	args: {},
	operands: { name: "SHELL", description: shellNames.join(", "), least: 1, most: 1, choices: () => shellNames },
	async run({ system, operands: [shell = ""], catalogue }) {
		if (!isShell(shell)) {
			const known = `known are ${shellNames.join(", ")}`;
			return fail(
				system,
				"completions",
				"user_error",
				`no completions for ${quote(fromText(shell))}${didYouMean(shell, shellNames)}; ${known}`,
			);
		}
		print(system, scriptFor(shell, await catalogue()));
		return EXIT.ok;
	},
});
