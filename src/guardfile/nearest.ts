// The known word that a mistyped one was most likely meant to be.

/** Edits (insert, delete, replace, swap of neighbours) that turn one word into the other (optimal string alignment distance). */
function distance(from: string, to: string): number {
	let before: number[] = [];
	let last = Array.from({ length: to.length + 1 }, (_, k) => k);
	for (let i = 1; i <= from.length; i++) {
		const row = [i];
		for (let j = 1; j <= to.length; j++) {
			const same = from[i - 1] === to[j - 1];
			let least = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + (same ? 0 : 1));
			const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
			if (swapped) least = Math.min(least, (before[j - 2] as number) + 1);
			row.push(least);
		}
		before = last;
		last = row;
	}
	return last[to.length] as number;
}

/** A longer word than this is nobody's typing error, and comparing it would cost time. */
const LONGEST = 64;

/** The known word nearest to `word`, undefined when none is near: at most one edit in three letters, or one the start of the other. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
	if (word.length > LONGEST) return undefined;
	const given = word.toLowerCase();
	let best: string | undefined;
	let least = Number.POSITIVE_INFINITY;
	for (const candidate of known) {
		const starts = given.length >= 3 && candidate.startsWith(given);
		const edits = starts ? 1 : distance(given, candidate.toLowerCase());
		const allowed = Math.max(1, Math.floor(Math.max(given.length, candidate.length) / 3));
		if (edits <= allowed && edits < least) [best, least] = [candidate, edits];
	}
	return best;
}

/** The question at the end of a message, or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
	const best = nearest(word, known);
	return best === undefined ? "" : `; did you mean ${JSON.stringify(best)}?`;
}
