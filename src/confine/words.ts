// Names as other programs' languages need them: a shell's word, and a word of a systemd unit file.

/** A word for bash and zsh. */
export function quoteWord(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A word of a command line in a unit file: `%` and `$` are doubled there (systemd.service(5), systemd.unit(5)). */
export function unitWord(text: string): string {
	return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
}

/** A path in a unit file's setting that takes no quotes, such as PathChanged=. */
export function unitPath(text: string): string {
	return text.replaceAll("%", "%%");
}

const UNITS: Readonly<Record<string, number>> = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** Bytes of `512M`, `4G`, or of `75%` of something; undefined when it is neither. */
export function bytesOf(text: string, whole: number): number | undefined {
	const share = shareOf(text);
	if (share !== undefined) return Math.floor(whole * share);
	const match = /^(\d{1,12})([KMGT]?)$/.exec(text);
	return match ? Number(match[1]) * (UNITS[match[2] as string] as number) : undefined;
}

/** 0.75 of `75%`; undefined when it is no share from 0 to 100. */
export function shareOf(text: string): number | undefined {
	const match = /^(\d{1,3}(?:\.\d{1,3})?)%$/.exec(text);
	const share = match ? Number(match[1]) / 100 : undefined;
	return share !== undefined && share <= 1 ? share : undefined;
}

/** Milliseconds of `500ms`, `5s`, `2m`; undefined when it is none. */
export function millisecondsOf(text: string): number | undefined {
	const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text);
	const factor = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match?.[2] as "ms" | "s" | "m" | "h"];
	return match && factor !== undefined ? Number(match[1]) * factor : undefined;
}
