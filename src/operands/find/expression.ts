// The command line of find taken apart: leading options, starting points, and the expression with the words that each predicate takes.

import type { Bytes } from "../../policy/bytes.ts";
import type { Call } from "../../policy/call.ts";

/** How symbolic links are treated: never followed, as starting points only, or everywhere (find(1), -P -H -L). */
export type Follow = "P" | "H" | "L";

/** One word of the expression with its arguments; `(`, `)`, `!`, `,` and `-o` are such words too. */
export interface Predicate {
	name: Bytes;
	args: Bytes[];
	/** Whether a command gets many files at once (`{} +`). */
	many?: boolean;
}

export interface Expression {
	follow: Follow;
	starts: Bytes[];
	predicates: Predicate[];
	/** Words that this reader does not know, in their order. */
	unread: Bytes[];
	/** The file of the last `-files0-from`, which stands for starting points. */
	list?: Bytes;
}

/** Options that are no part of the expression in GNU find: `-not -daystart -name x` negates the name (find/parser.c). */
const NO_PREDICATES = ["-daystart", "-files0-from"];

/**
 * How many words each predicate takes: GNU findutils 4.10 (find/parser.c), FreeBSD find(1), bfs and busybox. `-newerXY` and
 * the ones that run a command are read by their form.
 */
const arities = (): ReadonlyMap<string, number> => {
	const words = (text: string) => text.split(" ");
	return new Map([
		...words(
			"! ( ) , -a -and -o -or -not -daystart -delete -d -depth -empty -executable -false -follow -help --help -ls -mount -nogroup -nouser " +
				"-ignore_readdir_race -noignore_readdir_race -noleaf -nowarn -warn -print -print0 -prune -quit -readable -true -version --version " +
				"-writable -xdev -x -acl -sparse -xattr -hidden -nohidden -unique -noerror -noexec -print0x",
		).map((name) => [name, 0] as const),
		...words(
			"-amin -anewer -atime -cmin -cnewer -context -ctime -files0-from -fls -fprint -fprint0 -fstype -gid -group -ilname -iname -inum " +
				"-ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer -path -perm -printf -regex -regextype " +
				"-samefile -size -type -uid -used -user -wholename -xtype -Bmin -Bnewer -Btime -flags -mnewer -xattrname -exclude -since -asince " +
				"-csince -msince -bnewer -capable",
		).map((name) => [name, 1] as const),
		["-fprintf", 2],
	]);
};

/** Predicates that run a command, up to `;` or, but for -ok and -okdir, `{} +`. */
const COMMANDS = ["-exec", "-execdir", "-ok", "-okdir"];

/** Words that begin the expression: `-x`, or exactly `(` or `!` (findutils, looks_like_expression). */
function beginsExpression(word: Bytes): boolean {
	return (word.charCodeAt(0) === 45 && word.length > 1) || word === "(" || word === "!";
}

/** A cursor over argv. */
class Reading {
	at = 1;
	readonly #arities = arities();
	readonly result: Expression = { follow: "P", starts: [], predicates: [], unread: [] };

	constructor(readonly argv: Bytes[]) {}

	next(): Bytes | undefined {
		return this.argv[this.at++];
	}

	/** -H -L -P, -D WORD, -Olevel, `--`; each only as a word of its own. */
	gnuOptions(): void {
		for (; this.at < this.argv.length; this.at++) {
			const word = this.argv[this.at] as Bytes;
			if (word === "-H" || word === "-L" || word === "-P") this.result.follow = word.slice(1) as Follow;
			else if (word === "-D") this.at++;
			else if (word === "--") {
				this.at++;
				return;
			} else if (!/^-O\d*$/.test(word)) return;
		}
	}

	/** BSD reads its options by getopt: bundles of -EHLPXdsx, and -f PATH names a starting point. */
	bsdOptions(): void {
		for (; this.at < this.argv.length; this.at++) {
			const word = this.argv[this.at] as Bytes;
			if (word === "--") {
				this.at++;
				return;
			}
			if (word === "-f") this.result.starts.push(this.argv[++this.at] ?? "");
			else if (/^-[EHLPXdsx]+$/.test(word)) {
				const last = word.replace(/[^HLP]/g, "").at(-1);
				if (last) this.result.follow = last as Follow;
			} else if (/^-f[^lp]/.test(word)) this.result.starts.push(word.slice(2));
			else return;
		}
	}

	startingPoints(): void {
		while (this.at < this.argv.length && !beginsExpression(this.argv[this.at] as Bytes)) this.result.starts.push(this.next() as Bytes);
	}

	expression(): void {
		for (let name = this.next(); name !== undefined; name = this.next()) {
			const predicate = COMMANDS.includes(name) ? this.command(name) : this.plain(name);
			if (predicate?.name === "-files0-from" && predicate.args[0] !== undefined) this.result.list = predicate.args[0];
			if (predicate !== undefined && !NO_PREDICATES.includes(predicate.name)) this.result.predicates.push(predicate);
		}
	}

	private plain(name: Bytes): Predicate | undefined {
		const arity = this.#arities.get(name) ?? (/^-newer[aBcm][aBcmt]$/.test(name) ? 1 : undefined);
		if (arity !== undefined) {
			const args = this.argv.slice(this.at, this.at + arity);
			this.at += arity;
			return { name, args };
		}
		// A stray word is an error to GNU and a starting point to nobody, but what is not known is judged as one.
		this.result.unread.push(name);
		if (name.charCodeAt(0) !== 45) this.result.starts.push(name);
		return undefined;
	}

	private command(name: Bytes): Predicate {
		const plus = name === "-exec" || name === "-execdir";
		const args: Bytes[] = [];
		for (let word = this.next(); word !== undefined && word !== ";"; word = this.next()) {
			if (plus && word === "+" && args.at(-1) === "{}") return { name, args, many: true };
			args.push(word);
		}
		return { name, args };
	}
}

/** Take find's argv apart. `-files0-from` is left to the caller, which may read the file. */
export function parseFind(call: Call): Expression {
	const reading = new Reading(call.argv);
	if (call.implementation === "bsd" || call.implementation === "bfs") reading.bsdOptions();
	reading.gnuOptions();
	reading.startingPoints();
	reading.expression();
	const { result } = reading;
	if (result.predicates.some(({ name }) => name === "-follow")) result.follow = "L";
	return result;
}
