// The monitor's options, and what they say; `tmx install --monitor` hands the same ones on.

import type { Thresholds } from "../../confine/thresholds.ts";
import { bytesOf, millisecondsOf, shareOf } from "../../confine/words.ts";
import { fromText, quote } from "../../policy/bytes.ts";

export const thresholdOptions = {
	memory: { type: "string", valueHint: "SIZE", description: "stop a scope that uses more memory: 4G, or 50% of this machine's" },
	tasks: { type: "string", valueHint: "N", description: "stop a scope with more tasks (processes and threads)" },
	cpu: { type: "string", valueHint: "N", description: "stop a scope that keeps more processors busy, over the time of --for" },
	for: { type: "string", valueHint: "TIME", default: "60s", description: "how long for --cpu" },
	pressure: {
		type: "string",
		valueHint: "SHARE",
		description: "stop the largest scope when the machine waits for memory more of the time: 40%",
	},
	disk: { type: "string", valueHint: "SIZE", description: "stop the busiest scope when less is free on the home directory's disk" },
} as const;

export const monitorOptions = {
	...thresholdOptions,
	every: { type: "string", valueHint: "TIME", default: "2s", description: "how often it looks" },
	once: { type: "boolean", description: "look once, and end" },
} as const;

type Given = { [name in keyof typeof thresholdOptions]?: string | undefined } & { every?: string | undefined };

const count = (text: string) => (/^\d{1,9}(\.\d{1,3})?$/.test(text) && Number(text) > 0 ? Number(text) : undefined);

/** How each option is read, and what it takes. */
const READERS: Readonly<Record<string, { read(text: string, memory: number): number | undefined; known: string }>> = {
	memory: { read: bytesOf, known: "4G, 512M, 50%" },
	tasks: { read: count, known: "a number" },
	cpu: { read: count, known: "a number such as 2 or 1.5" },
	for: { read: millisecondsOf, known: "30s, 5m" },
	pressure: { read: shareOf, known: "a share such as 40%" },
	disk: { read: (text) => (text.endsWith("%") ? undefined : bytesOf(text, 0)), known: "2G, 500M" },
	every: { read: millisecondsOf, known: "500ms, 2s" },
};

/** What is set, or what is wrong with it. */
export function readThresholds(given: Given, memory: number): { thresholds: Thresholds; every: number } | { wrong: string } {
	const values: Record<string, number> = {};
	for (const [name, { read, known }] of Object.entries(READERS)) {
		const text = given[name as keyof Given];
		if (text === undefined) continue;
		const value = read(text, memory);
		if (value === undefined) return { wrong: `--${name} ${quote(fromText(text))} cannot be read; known are ${known}` };
		values[name] = value;
	}
	const { for: over = 60_000, every = 2000, ...set } = values;
	return { thresholds: { ...set, over }, every: Math.max(every, 100) };
}
