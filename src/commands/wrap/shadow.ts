// A session in a shadow of its own: made before the launch, entered, and taken away again when the launch comes to nothing.

import { sessionsAround } from "../../launch/around.ts";
import { type Bytes, quote, toText } from "../../policy/bytes.ts";
import { gitOf, LOOKING } from "../../shadow/git.ts";
import { makeShadow, type Shadow } from "../../shadow/make.ts";
import { fault, type Refused, shadowsPlace, wrong } from "../../shadow/places.ts";
import { release } from "../../shadow/release.ts";
import type { System } from "../../sys/system.ts";
import { note } from "../note.ts";

/** Take away a shadow that no command has run in. */
export function leave(system: System, { id }: Pick<Shadow, "id">): void {
	const git = gitOf(system, LOOKING);
	const place = shadowsPlace(system, false);
	if (git !== undefined && typeof place === "string") release(system, git, place, id, true, () => wrong(`${id} stays`));
}

/** Make the directory the working one. A runtime takes no names but text. */
function go(directory: Bytes): string | undefined {
	try {
		process.chdir(toText(directory));
		return undefined;
	} catch (error) {
		return (error as { code?: string }).code ?? "it is no text";
	}
}

/** Make a shadow of the repository that we stand in, and stand in it. */
export function enterShadow(system: System): Shadow | Refused {
	if (sessionsAround(system).length > 0)
		return wrong("--shadow has no place within a session: a shadow lies outside of what the session may change");
	const shadow = makeShadow(system);
	if ("failure" in shadow) return shadow;
	const failed = go(shadow.directory);
	if (failed !== undefined) {
		leave(system, shadow);
		return fault(`the shadow ${quote(shadow.directory)} cannot be entered: ${failed}`);
	}
	system.setenv("PWD", shadow.directory);
	for (const [name, value] of shadow.environment) system.setenv(name, value);
	note(
		system,
		"wrap",
		`the session works in ${quote(shadow.directory)}; "tmx shadow release ${shadow.id}" removes it and keeps its commits`,
	);
	for (const words of shadow.notes) note(system, "wrap", words);
	return shadow;
}
