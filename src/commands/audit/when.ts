// A moment as people write it on a command line: RFC 3339, a date, or how long ago.

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** RFC 3339, 5.6; a space may stand for the T, and without an offset the time is local. */
const TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)([Zz]|[+-]\d{2}:\d{2})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const AGO = /^(\d{1,9})([smhdw])$/;

/** Whether the day exists: Date.parse takes the 31st of June for the 1st of July. */
function isDay(date: string): boolean {
	const parsed = new Date(`${date}T00:00:00Z`);
	return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}

/**
 * The moment in milliseconds since the epoch; undefined when the text is none.
 * @param now the present moment
 */
export function momentOf(text: string, now: number): number | undefined {
	const ago = AGO.exec(text);
	if (ago) return now - Number(ago[1]) * (UNITS[ago[2] as string] as number);
	// A date alone is the start of that day where the person is.
	if (DATE.test(text)) return isDay(text) ? Date.parse(`${text}T00:00:00`) : undefined;
	const time = TIME.exec(text);
	if (!time || !isDay(time[1] as string)) return undefined;
	const moment = Date.parse(`${time[1]}T${time[2]}${(time[3] ?? "").toUpperCase()}`);
	return Number.isNaN(moment) ? undefined : moment;
}
