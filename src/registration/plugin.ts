// The plugin for OpenCode, which has no hooks that are commands: it hands each call to `tmx hook opencode` and throws what that refuses.

/** The first line: no file without it is overwritten or removed. */
const MARK = "// Written by tmx install; tmx uninstall takes it away.\n";

/** What follows the command's definition. Every export of a plugin's file is taken for a plugin, so there is one. */
const BODY = `
function ask(event) {
	return new Promise((resolve) => {
		const hook = spawn(command[0], command.slice(1), { stdio: ["pipe", "ignore", "pipe"] });
		let said = "";
		hook.stderr.setEncoding("utf8").on("data", (text) => {
			said += text;
		});
		hook.on("error", (error) => resolve({ status: -1, said: \`tmx: hook: internal: \${error.message}; nothing was run\` }));
		hook.on("close", (status) => resolve({ status, said }));
		hook.stdin.on("error", () => {});
		hook.stdin.end(JSON.stringify(event));
	});
}

export const Tmx = async ({ directory }) => ({
	"tool.execute.before": async (input, output) => {
		const event = { tool: input.tool, args: output.args, cwd: directory, sessionID: input.sessionID };
		const { status, said } = await ask(event);
		// A hook that was ended or could not be started is no permission.
		if (status !== 0) throw new Error(said || \`tmx: hook: internal: it ended with \${status}; nothing was run\`);
	},
});
`;

const HEAD = `${MARK}
import { spawn } from "node:child_process";

const command = `;

/** The text of the plugin. */
export const pluginText = (binary: string): string => `${HEAD}${JSON.stringify([binary, "hook", "opencode"])};\n${BODY}`;

/** Whether a file is ours to write and remove. */
export const isPlugin = (text: string): boolean => text.replaceAll("\r\n", "\n").startsWith(MARK);

/** The command in a plugin of ours; undefined when there is none that could be read. */
export function pluginCommand(text: string): string[] | undefined {
	const written = /^const command = (\[.*\]);$/m.exec(text)?.[1];
	if (written === undefined) return undefined;
	try {
		const words: unknown = JSON.parse(written);
		return Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === "string") ? words : undefined;
	} catch {
		return undefined;
	}
}
