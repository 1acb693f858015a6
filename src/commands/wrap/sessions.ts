// The sessions that run, a line each.

import type { Session } from "../../launch/record.ts";
import { quote, toText } from "../../policy/bytes.ts";

/** A session as data. */
const dataOf = ({ id, pid, since, command, cwd, roots }: Session) => {
	return { session: id, pid, since, command: command.map(toText), cwd: toText(cwd), roots: roots.map(toText) };
};

/** The sessions for people, or one JSON object a line. */
export function rowsOf(sessions: readonly Session[], json: boolean): string {
	if (json) return sessions.map((session) => `${JSON.stringify(dataOf(session))}\n`).join("");
	if (sessions.length === 0) return "no session runs\n";
	return sessions
		.map(({ id, pid, command, roots }) => `${id}  ${pid}  ${command.map(quote).join(" ")}\n  changes ${roots.map(quote).join(", ")}\n`)
		.join("");
}
