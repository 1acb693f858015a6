// The file system of the corpus: a few paths, held in memory.

import type { Surroundings } from "../../src/shell/reading.ts";

const DIRECTORIES = [
	"/",
	"/tmp",
	"/out",
	"/out/dir",
	"/home",
	"/home/u",
	"/home/u/Documents",
	"/area",
	"/area/proj",
	"/area/proj/sub",
	"/area/proj/build",
	"/area/proj/dist",
];
const FILES = [
	"/out/keep.txt",
	"/out/dir/f1",
	"/out/dir/f2",
	"/area/proj/a",
	"/area/proj/b",
	"/area/proj/.hidden",
	"/area/proj/sub/x.c",
	"/area/proj/sub/y.o",
	"/home/u/.bashrc",
];

const ENVIRONMENT: Readonly<Record<string, string>> = { HOME: "/home/u", PATH: "/shims:/usr/bin:/bin", TMPDIR: "/tmp", TMX_ROOTS: "/area" };

function normal(path: string): string {
	const parts: string[] = [];
	for (const part of path.split("/")) {
		if (part === "..") parts.pop();
		else if (part !== "" && part !== ".") parts.push(part);
	}
	return `/${parts.join("/")}`;
}

const isDirectory = (path: string) => DIRECTORIES.includes(path);
const exists = (path: string) => isDirectory(path) || FILES.includes(path);

/** What the corpus is read against; the working directory is /area/proj. */
export const around: Surroundings = {
	cwd: "/area/proj",
	home: "/home/u",
	env: (name) => (Object.hasOwn(ENVIRONMENT, name) ? ENVIRONMENT[name] : undefined),
	files: {
		kind: (path) => (isDirectory(normal(path)) ? "directory" : exists(normal(path)) ? "file" : undefined),
		readlink: () => undefined,
		real: (path) => (exists(normal(path)) ? normal(path) : undefined),
		list: (path) => {
			const directory = normal(path);
			if (!isDirectory(directory)) return undefined;
			const start = directory === "/" ? "/" : `${directory}/`;
			const names = [...DIRECTORIES, ...FILES].filter(
				(each) => each.startsWith(start) && each !== "/" && !each.slice(start.length).includes("/"),
			);
			return names.map((each) => ({ name: each.slice(start.length), kind: isDirectory(each) ? "directory" : "file" }));
		},
	},
};
