// The tool shells' scopes as a table for people, with a bar where a limit is known.

import type { Scope } from "../../confine/scopes.ts";
import { fromText, quote } from "../../policy/bytes.ts";
import { fit, pad, type Screen } from "../screen.ts";

const BAR = 8;
const UNITS = ["B", "K", "M", "G", "T"] as const;

/** Bytes as people write them. */
export function size(bytes: number): string {
	let value = bytes;
	let unit = 0;
	while (value >= 1024 && unit < UNITS.length - 1) {
		value /= 1024;
		unit++;
	}
	return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)}${UNITS[unit]}`;
}

/** Seconds as people say them: the two largest parts. */
export function span(seconds: number): string {
	const whole = Math.floor(seconds);
	if (whole < 60) return `${whole}s`;
	if (whole < 3600) return `${Math.floor(whole / 60)}m${whole % 60}s`;
	if (whole < 86_400) return `${Math.floor(whole / 3600)}h${Math.floor((whole % 3600) / 60)}m`;
	return `${Math.floor(whole / 86_400)}d${Math.floor((whole % 86_400) / 3600)}h`;
}

/** How full, as a bar; spaces where nothing bounds it. */
export function bar(used: number, most: number | undefined): string {
	if (most === undefined || most === 0) return " ".repeat(BAR);
	const full = Math.min(BAR, Math.ceil((used / most) * BAR));
	return "#".repeat(full) + ".".repeat(BAR - full);
}

const shellOf = ({ shellGone, pids }: Scope) => (pids.length === 0 ? "empty" : shellGone ? "gone" : "there");

const TITLES = ["UNIT", "AGE", "TASKS", "MEMORY", "CPU", "SHELL", "COMMAND"] as const;

function cellsOf(scope: Scope, bars: boolean): string[] {
	const tasks = `${String(scope.tasks).padStart(5)}${bars ? ` ${bar(scope.tasks, scope.tasksMax)}` : ""}`;
	const memory = `${size(scope.memory).padStart(6)}${bars ? ` ${bar(scope.memory, scope.memoryMax)}` : ""}`;
	return [scope.unit, span(scope.age), tasks, memory, `${scope.cpu.toFixed(1)}s`, shellOf(scope), quote(fromText(scope.command))];
}

/** The table. Bars only where somebody looks at it on a terminal, and only when a limit is enforced anywhere. */
export function table(scopes: readonly Scope[], screen: Screen): string {
	if (scopes.length === 0) return "no tool shell is in a scope\n";
	const limited = scopes.some(({ tasksMax, memoryMax }) => tasksMax !== undefined || memoryMax !== undefined);
	const rows = scopes.map((scope) => cellsOf(scope, limited && Number.isFinite(screen.columns)));
	const widths = TITLES.map((title, k) => Math.max(title.length, ...rows.map((row) => (row[k] as string).length)));
	const line = (cells: readonly string[]) =>
		fit(cells.map((cell, k) => (k === cells.length - 1 ? cell : pad(cell, widths[k] as number))).join("  "), screen.columns);
	const shown = rows.map((row, k) => {
		const text = line(row);
		return (scopes[k] as Scope).shellGone ? screen.tint("doubtful", text) : text;
	});
	return `${[screen.tint("strong", line(TITLES)), ...shown].join("\n")}\n`;
}

/** One scope as a line of JSON. */
export function json(scope: Scope): string {
	const { unit, shell, shellGone, pids, tasks, memory, cpu, age, command, tasksMax, memoryMax } = scope;
	return `${JSON.stringify({ unit, shell, shellGone, empty: pids.length === 0, pids, tasks, memory, cpu, age, command, tasksMax, memoryMax })}\n`;
}
