// As much of TOML as it takes to put one more element into a list or a table that a person wrote on a command line.

const PAIRS: Readonly<Record<string, string>> = { "[": "]", "{": "}" };

/** Where a string ends that begins at `at` (TOML 1.0, String); -1 when it does not. */
function endOfString(text: string, at: number): number {
	const mark = text[at] as string;
	const long = mark.repeat(3);
	const fence = text.startsWith(long, at) ? long : mark;
	for (let k = at + fence.length; k < text.length; k++) {
		if (mark === '"' && text[k] === "\\") k++;
		else if (text.startsWith(fence, k)) return k + fence.length - 1;
	}
	return -1;
}

/**
 * The elements of an array or an inline table, each as it is written; undefined when the text is none.
 * @param open `[` or `{`
 */
export function elementsOf(text: string, open: "[" | "{"): string[] | undefined {
	const trimmed = text.trim();
	if (!trimmed.startsWith(open) || !trimmed.endsWith(PAIRS[open] as string)) return undefined;
	const found: string[] = [];
	const closing: string[] = [];
	let from = 1;
	for (let at = 0; at < trimmed.length; at++) {
		const character = trimmed[at] as string;
		if (character === '"' || character === "'") {
			at = endOfString(trimmed, at);
			if (at < 0) return undefined;
		} else if (character === "#") {
			const end = trimmed.indexOf("\n", at);
			if (end < 0) return undefined;
			at = end;
		} else if (PAIRS[character] !== undefined) closing.push(PAIRS[character]);
		else if (character === "]" || character === "}") {
			if (closing.pop() !== character) return undefined;
			if (closing.length === 0 && at < trimmed.length - 1) return undefined;
		} else if (character === "," && closing.length === 1) {
			found.push(trimmed.slice(from, at).trim());
			from = at + 1;
		}
	}
	const last = trimmed.slice(from, -1).trim();
	if (closing.length > 0) return undefined;
	return last === "" ? found : [...found, last];
}
