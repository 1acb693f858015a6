// Random commands for find to run: readers, tools that change what they are given, scripts, and wrappers of these.

import type { Bytes } from "../../src/policy/bytes.ts";
import type { Spelling } from "./paths.ts";
import type { Random } from "./random.ts";
import { shellWord } from "./words.ts";

/** `{}` stands for what was found, `PATH` for any path, `DIR` for one that is most likely a directory. */
const READERS = [
	"echo {}",
	"cat {}",
	"grep -l x {}",
	"grep -q x PATH",
	"ls -d {}",
	"true",
	"test -f {}",
	"wc -c {}",
	"head -n1 {}",
	"stat -c %n {}",
	"echo -delete",
	"basename {}",
	"cmp -s PATH {}",
	"/bin/echo {}",
];

const WRITERS = [
	"rm -f {}",
	"rm -rf {}",
	"rm -- {}",
	"rm -f PATH",
	"rm -rf {}/x",
	"rm PATH {}",
	"rmdir {}",
	"unlink {}",
	"mv {} PATH",
	"mv {} DIR",
	"mv -t DIR {}",
	"mv -f PATH {}",
	"mv -T {} PATH",
	"mv {} {}.bak",
	"cp {} DIR",
	"cp PATH {}",
	"cp -r {} DIR",
	"cp -t DIR {}",
	"ln -sf PATH {}",
	"ln -s {} DIR",
	"chmod 600 {}",
	"chmod u+w PATH {}",
	"chmod -R u+w {}",
	"chown 0 {}",
	"truncate -s0 {}",
	"truncate -s 0 PATH",
	"touch {}",
	"touch {}.new",
	"touch PATH",
	"mkdir {}x",
	"mkdir -p PATH",
	"tee {}",
	"dd if=/dev/null of={}",
	"shred -u -n1 {}",
	"install {} DIR",
	"sed -i s/x/y/ {}",
	"sort -o {} {}",
	"sort -o PATH {}",
	"find {} -delete",
	"find {} -name x -exec rm -f {} +",
	"find -L {} -name x -delete",
	"touch {}/../x",
	"touch {}/d/f",
	"touch {}.d/f",
	"mkdir {}/../x",
	"rm -f {}/../x",
	"mv {} ..",
	"mv f {}",
	"cp f d/x",
	"ln -s PATH {}/k",
	"ln -s {} d",
	"ln -sf PATH x",
	"mv {} {}",
	"cp -a {} DIR",
	"cp -r DIR {}",
	"cp --parents {} DIR",
	"touch -h {}",
	"chown -h 0 {}",
	"chmod -R u+w {}/d",
	"perl -pi -e s/x/y/ {}",
	"awk 1 {}",
	"sed -n p {}",
	"sed -i.o s/x/y/ {}",
	"tar -cf PATH {}",
	"split {} PATH",
];

/** Wrappers; the command follows. */
const WRAPPERS = [
	"taskset 1",
	"setpriv --nnp",
	"env -C d",
	"flock a",
	"env POSIXLY_CORRECT=1",
	"env",
	"env A=b",
	"nice",
	"nohup",
	"timeout 5",
	"env -u HOME",
	"command",
];

const SCRIPTS = [
	'rm -f "$1"',
	'rm -f "$0"',
	"rm -f PATH",
	"rm -f {}",
	'echo x > "$1"',
	"echo x > PATH",
	"cat {} > PATH",
	'mv "$1" PATH',
	"grep -q x {}",
	'test -f "$1" && cat "$1"',
	"cat PATH; true",
	"cat {} 2>/dev/null",
	"cd DIR && rm -f f x",
	'for f; do rm -f "$f"; done',
	'cd "$1" && touch ../x',
	'cd "$(dirname "$1")" && rm -f x && echo k > d',
	`mv "$1" "\${1%d}c"`,
	'cp "$1" "DIR/$(basename "$1")"',
	'echo k > "$1.d"',
	`touch "\${1%/*}/f"`,
	'for f in "$@"; do touch -- "$f"; done',
	'x=PATH; test -d "$x" && touch "$x/f"',
	"(cd DIR; touch x); rm -f PATH",
	'if test -d "$1"; then touch "$1/x"; fi',
	"chmod u+w l*",
	"echo PATH | xargs rm -f",
	'wc -l < "$1"; echo $((1 / 2)) 2>&1',
	"cd .. && touch f",
];

function filled(spelling: Spelling, template: string): Bytes[] {
	return template.split(" ").map((word) => {
		if (word === "PATH") return spelling.any();
		return word === "DIR" ? spelling.directory() : word;
	});
}

function script(random: Random, spelling: Spelling): Bytes[] {
	const text = random.pick(SCRIPTS).replace(/PATH|DIR/g, (word) => shellWord(word === "PATH" ? spelling.any() : spelling.directory()));
	const rest = random.chance(0.8) ? [random.pick(["_", "sh"]), "{}"] : ["{}"];
	return [
		random.pick(["sh", "bash", "/bin/sh"]),
		...random.pick([["-c"], ["-c"], ["-ec"], ["-c", "--"], ["-c", "-e"], ["-o", "errexit", "-c"]]),
		text,
		...(random.chance(0.9) ? rest : []),
	];
}

/** One command, without its end. */
export function command(random: Random, spelling: Spelling): Bytes[] {
	const plain = () => filled(spelling, random.pick(WRITERS));
	return random.weighted<() => Bytes[]>([
		[5, () => filled(spelling, random.pick(READERS))],
		[10, plain],
		[2, () => script(random, spelling)],
		[1, () => [...random.pick(WRAPPERS).split(" "), ...plain()]],
		[0.7, () => `/bin/${random.pick(["rm -f", "mv -t DIR", "chmod 600"])} {}`.split(" ").flatMap((word) => filled(spelling, word))],
	])();
}
