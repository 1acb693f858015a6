// What a launch would do, for people and as data.

import { quoteWord } from "../../confine/words.ts";
import type { Launch } from "../../launch/plan.ts";
import { type Bytes, quote, toText } from "../../policy/bytes.ts";
import { policyWords } from "../policy-words.ts";
import type { Screen } from "../screen.ts";

const TITLE = 9;

/** A word that no shell reads in another way. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A word as a person may copy it into a shell. */
const shellWord = (word: Bytes) => (PLAIN.test(word) || /[^ -~]/.test(word) ? quote(word) : quoteWord(word));

/** Lines under a title that stands beside the first. */
function block(screen: Screen, title: string, lines: readonly string[]): string {
	const [first = "", ...more] = lines;
	return [`${screen.tint("strong", title.padEnd(TITLE))}${first}`, ...more.map((line) => " ".repeat(TITLE) + line)].join("\n");
}

/** A launch for a person to read. */
export function launchText(launch: Launch, screen: Screen): string {
	const { directory, roots, base, environment, content, program, argv, notes, agent, floor } = launch;
	const runs = "path" in program ? quote(program.path) : `nothing: ${program.why}`;
	const blocks = [
		block(screen, "session", [quote(directory)]),
		block(
			screen,
			"changes",
			roots.map(({ real, from }) => `${quote(real)} (${from})`),
		),
		block(screen, "policy", [policyWords(base.choice), `shims: ${base.links.map(quote).join(" ")}`]),
		block(
			screen,
			"sets",
			environment.map(([name, value]) => `${name}=${quote(value)}`),
		),
		block(screen, "writes", [`${content.files.size} files and ${content.links.size} shims below the session's directory`]),
		block(screen, "runs", [runs, argv.map(shellWord).join(" ")]),
		block(screen, "floor", [floor]),
		...(agent === undefined ? [] : [block(screen, "agent", [agent])]),
		...(notes.length > 0 ? [block(screen, "note", notes)] : []),
	];
	return `${blocks.join("\n")}\n`;
}

/** A launch as data. */
export function launchData(launch: Launch): object {
	const { directory, session, roots, base, environment, content, program, argv, notes, agent, floor } = launch;
	return {
		session: session.id,
		directory: toText(directory),
		roots: roots.map(({ real, from }) => ({ path: toText(real), from })),
		policy: { how: base.choice.how, directory: toText(base.choice.directory), shims: base.links.map(toText) },
		environment: Object.fromEntries(environment.map(([name, value]) => [name, toText(value)])),
		files: [...content.files.keys()].map(toText),
		...("path" in program ? { program: toText(program.path) } : { missing: program.missing, why: program.why }),
		argv: argv.map(toText),
		agent: agent ?? null,
		floor,
		notes,
	};
}
