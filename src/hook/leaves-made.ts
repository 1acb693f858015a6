// What ln and mkdir leave for the calls behind them.

import type { Bytes } from "../policy/bytes.ts";
import { namesDirectory, parentOf, withoutSlashes } from "../policy/resolve.ts";
import { brings, type Effect, has, operandsOf, type Standing } from "./effects.ts";
import type { Judged } from "./finding.ts";

/** A link comes to a place. Where something stands already, a call that does not replace it does nothing, unless an earlier one took that away. */
export function put({ session, future, conditional, step }: Standing, at: Bytes, to: Bytes, replaces: boolean, told: boolean): Effect[] {
	const there = !replaces && future.files.kind(at, false) !== undefined;
	if (there && !session.hasJudged) {
		if (told) future.tell(step, false);
		return [];
	}
	return [brings([[at, to]], !conditional && !there, told)];
}

/** A directory, or a link to one, takes the new link in; where an earlier call took it away, the new one comes to its place. */
export function putInItsPlace(standing: Standing, target: Bytes, to: Bytes): Effect[] {
	const { session, future, look } = standing;
	// Such a name is never a link's.
	if (namesDirectory(target)) return [];
	const at = look.entry(target);
	const mayBeGone = future.vacated.has(at) || (session.hasJudged && future.files.readlink(at) !== undefined);
	return mayBeGone ? put(standing, at, to, false, false) : [];
}

/** The path of a file that gets a second name: what is written under the one stands under the other (link(2)). */
const pathOf = ({ look }: Standing, source: Bytes, follows: boolean): Bytes =>
	follows ? look.target(source) : (look.files.readlink(look.standing(source)) ?? look.entry(source));

/** Links that `ln` makes. */
export function madeByLn(standing: Standing, { verdict, argv }: Judged): Effect[] {
	if (verdict.decision !== "allow") return [];
	const { words: given } = operandsOf(argv);
	const [isSymbolic, isRelative] = [has(argv, /^(-[a-zA-Z]*s|--sym)/), has(argv, /^(-[a-zA-Z]*r|--rel)/)];
	const follows = has(argv, /^(-[a-zA-Z]*L|--log)/);
	const texts = given.map((word) => (isSymbolic ? (isRelative ? standing.look.standing(word) : word) : pathOf(standing, word, follows)));
	const forced = has(argv, /^(-[a-zA-Z]*f|--force)/);
	const told = !has(argv, /^(-[a-zA-Z]*i|--int)/);
	const made = verdict.seen.filter(({ operand }) => operand.role === "written" && operand.leaf === "entry");
	const effects = made.flatMap(({ resolved, operand }, k) => {
		const to = texts[k];
		return to === undefined || namesDirectory(operand.text) ? [] : put(standing, resolved, to, forced, told);
	});
	const [, target, more] = given;
	if (texts[0] !== undefined && target !== undefined && more === undefined) effects.push(...putInItsPlace(standing, target, texts[0]));
	return effects;
}

/** Directories that mkdir makes. Where a link stands it fails: without -p always, and with it where that leads to no directory. */
export function madeByMkdir(standing: Standing, { verdict, argv }: Judged): Effect[] {
	if (verdict.decision !== "allow") return [];
	const { future, look, conditional, step } = standing;
	const parents = has(argv, /^(-[a-zA-Z]*p|--parents)/);
	const directories: Bytes[] = [];
	for (const { operand, resolved } of verdict.seen) {
		const text = withoutSlashes(operand.text);
		if (look.kind(text, false) === "link" && !(parents && look.isDirectory(text))) future.tell(step, false);
		// Without -p it fails where the one above is not there.
		else if (!conditional && (parents || future.files.kind(parentOf(resolved), true) === "directory")) directories.push(resolved);
	}
	return directories.length === 0 ? [] : [{ links: [], taken: [], directories, sure: true, told: false }];
}
