// The one answer to what may be killed: a tool shell's scope by its full name and its full cgroup path, and nothing else.

import { cgroupOf, type Manager } from "./manager.ts";

/** The name that the fragment gives: the pid of the shell, and something random. */
const NAME = /^confine-agent-([1-9][0-9]*)-[0-9a-z]+\.scope$/;

/** Yes with the unit, or no with the reason. */
export type Killable = { unit: string; shell: number } | { no: string };

/** Whether a unit at a cgroup path may be killed. Pure, so that each form that belongs to a person is a row of its test. */
export function killable(unit: string, path: string, manager: Manager): Killable {
	const match = NAME.exec(unit);
	if (!match) return { no: "its name is not that of a tool shell's scope" };
	if (path !== `${manager.path}/agent.slice/${unit}`) return { no: "it does not lie under this user's agent.slice" };
	return { unit, shell: Number(match[1]) };
}

/** The same of a process: the scope that it is in, also below it. */
export function killableProcess(pid: number, manager: Manager): Killable {
	const path = cgroupOf(pid);
	if (path === undefined) return { no: "there is no such process" };
	const slice = `${manager.path}/agent.slice/`;
	if (!path.startsWith(slice)) return { no: `it is in ${path}, which is no tool shell's` };
	const [unit = ""] = path.slice(slice.length).split("/");
	return killable(unit, slice + unit, manager);
}
