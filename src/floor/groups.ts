// What programs cannot do without, as rows: the groups of places that may be written under the floor, each with its reason.

import type { Grant } from "../sys/landlock.ts";

/** A group of places; a guardfile may deny it as a whole, but for those that are fixed. */
export interface Group {
	name: string;
	/** Why it may be written, for people. */
	why: string;
	fixed?: true;
}

/** The groups in the order in which they are shown. */
export const GROUPS: readonly Group[] = [
	{ name: "roots", why: "the session's own directories", fixed: true },
	{ name: "git", why: "where git keeps the index and the objects of a root that is a worktree, a submodule or part of a repository" },
	{ name: "temp", why: "scratch files: mktemp, compilers, here-documents of zsh" },
	{ name: "runtime", why: "sockets and locks of this login" },
	{ name: "devices", why: "terminals, and devices that hold nothing" },
	{ name: "proc", why: "what a process may say of itself: comm, oom_score_adj, uid_map" },
	{ name: "output", why: "the files that standard output and error go to, for a program that opens /dev/stdout anew" },
	{ name: "agent", why: "what the agent keeps of its sessions; not the settings that name its hooks where it can live without them" },
	{ name: "caches", why: "downloads and builds of package managers" },
	{ name: "fixed", why: "directories that the guardfile's gates always allow (`root`)" },
	{ name: "audit", why: "the record of verdicts: it may be written and not emptied, removed or renamed", fixed: true },
	{ name: "inner", why: "where sessions lie that are started within this one", fixed: true },
	{ name: "guardfile", why: "what the guardfile adds", fixed: true },
];

/** The groups that a guardfile may deny. */
export const DENIABLE: readonly string[] = GROUPS.filter(({ fixed }) => !fixed).map(({ name }) => name);

/** One place of a group. */
export interface Row {
	group: string;
	/** Absolute, or from `~`; a `*` at its end stands for every name that begins so. "" where only the variable names one. */
	path: string;
	/** A variable that names the place instead, when it is set to an absolute directory. */
	variable?: string;
	what: Grant["what"];
	/** The program that makes the directory when it is missing: so it is made at launch, when that program is on PATH. */
	madeFor?: string;
	/** The one system that has it. */
	on?: "linux" | "darwin";
}

const device = (path: string, on?: Row["on"]): Row => ({ group: "devices", path, what: "file", ...(on && { on }) });

/** A directory of a package manager below the home directory. */
const cache = (path: string, madeFor?: string, variable?: string): Row => {
	return { group: "caches", path, what: "tree", ...(madeFor && { madeFor }), ...(variable && { variable }) };
};

/** The places that are the same for every session. */
export const ROWS: readonly Row[] = [
	{ group: "temp", path: "", variable: "TMPDIR", what: "tree" },
	{ group: "temp", path: "/tmp", what: "tree" },
	{ group: "temp", path: "/var/tmp", what: "tree" },
	// POSIX shared memory and semaphores (shm_overview(7)): Python's multiprocessing, Chromium.
	{ group: "temp", path: "/dev/shm", what: "tree", on: "linux" },
	// What confstr(3) gives each user of macOS for temporary files lies below it.
	{ group: "temp", path: "/private/var/folders", what: "tree", on: "darwin" },
	{ group: "runtime", path: "", variable: "XDG_RUNTIME_DIR", what: "tree" },
	device("/dev/null"),
	device("/dev/zero"),
	device("/dev/full", "linux"),
	device("/dev/random"),
	device("/dev/urandom"),
	device("/dev/tty"),
	device("/dev/ptmx"),
	{ group: "devices", path: "/dev/pts", what: "tree", on: "linux" },
	device("/dev/ttys*", "darwin"),
	device("/dev/dtracehelper", "darwin"),
	// What computes: graphics cards and the processor's own virtual machines are opened for writing.
	device("/dev/kvm", "linux"),
	device("/dev/kfd", "linux"),
	device("/dev/nvidia*", "linux"),
	{ group: "devices", path: "/dev/dri", what: "tree", on: "linux" },
	// As a whole: the directories of processes come and go. What is in them the kernel guards by user.
	{ group: "proc", path: "/proc", what: "tree", on: "linux" },
	cache("~/.cache", "sh", "XDG_CACHE_HOME"),
	{ ...cache("~/Library/Caches"), on: "darwin" },
	cache("~/.npm", "npm"),
	cache("~/.node-gyp"),
	cache("~/.yarn", "yarn"),
	cache("~/.local/share/pnpm", "pnpm", "PNPM_HOME"),
	cache("~/.pnpm-store"),
	cache("~/.bun", "bun", "BUN_INSTALL"),
	cache("~/.deno", "deno", "DENO_DIR"),
	cache("~/.nvm", undefined, "NVM_DIR"),
	cache("~/.cargo", "cargo", "CARGO_HOME"),
	cache("~/.rustup", "rustup", "RUSTUP_HOME"),
	cache("~/go", "go", "GOPATH"),
	cache("~/.gradle", "gradle", "GRADLE_USER_HOME"),
	cache("~/.m2", "mvn"),
	cache("~/.ivy2"),
	cache("~/.sbt"),
	cache("~/.konan"),
	cache("~/.pyenv", undefined, "PYENV_ROOT"),
	cache("~/.local/share/uv", "uv"),
	cache("~/.local/share/virtualenv", "virtualenv"),
	cache("~/.local/share/pypoetry"),
	cache("~/.conda"),
	cache("~/.local/share/mise", undefined, "MISE_DATA_DIR"),
	cache("~/.asdf", undefined, "ASDF_DATA_DIR"),
	cache("~/.gem"),
	cache("~/.bundle"),
	cache("~/.composer"),
	cache("~/.nuget", "dotnet"),
	cache("~/.local/share/NuGet"),
	cache("~/.dotnet", "dotnet"),
	cache("~/.pub-cache", "dart", "PUB_CACHE"),
	cache("~/.dart-tool"),
	cache("~/.dartServer"),
	cache("~/.cabal"),
	cache("~/.stack"),
	cache("~/.opam"),
	cache("~/.mix"),
	cache("~/.hex"),
	cache("~/.julia"),
];
