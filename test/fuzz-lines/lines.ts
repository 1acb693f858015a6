// Random command lines as agents and shells write them: lists, pipes, directories, variables, redirections, wrappers, and paths that may lead out.

import type { Random } from "../fuzz/random.ts";

/** Where the box has its tree: R the session's directory, O and H outside. */
export const R = "/fz/R";
export const O = "/fz/O";
export const H = "/fz/H";

/** A maker of a text, and how often it is taken. */
type Maker = readonly [weight: number, make: () => string];

const INSIDE = ["a", "b", "sub", "sub/x", "d", "d/y", "build", "./a", "sub/../b", "new", "sub/new", `${R}/a`, `${R}/d`, "lin", "lin/y"];
const OUTSIDE = [
	`${O}/f`,
	`${O}/D`,
	`${O}/D/x`,
	`${O}/new`,
	"../O/f",
	"../O/D",
	"sub/../../O/g",
	`${H}/h`,
	"~/h",
	"~",
	"ld",
	"ld/x",
	"lf",
	"ld/new",
];

/** How many of the lines play with links. */
const LINKS = 0.15;

/** Makes one line; variables that it sets are used again. */
export class Liner {
	readonly #variables: string[] = [];
	#depth = 0;

	constructor(readonly random: Random) {}

	#pick(makers: readonly Maker[]): string {
		return this.random.weighted(makers.map(([weight, make]) => [weight, make] as const))();
	}

	#plainPath(): string {
		return this.random.pick(this.random.chance(0.6) ? INSIDE : OUTSIDE);
	}

	#variable(): string | undefined {
		return this.#variables.length === 0 ? undefined : this.random.pick(this.#variables);
	}

	/** A word that is a path, in one of the spellings of a shell. */
	path(): string {
		const plain = this.#plainPath();
		const variable = this.#variable();
		const used = (text: (name: string) => string) => (variable === undefined ? plain : text(variable));
		return this.#pick([
			[12, () => plain],
			[3, () => (plain.startsWith("~") ? plain : `"${plain}"`)],
			[3, () => (plain.startsWith("~") ? plain : `'${plain}'`)],
			[4, () => used((name) => `"$${name}"`)],
			[2, () => used((name) => `$${name}`)],
			[2, () => used((name) => `"\${${name}}/x"`)],
			[1, () => used((name) => `"\${${name}%/*}"`)],
			[1, () => used((name) => `"\${${name}##*/}"`)],
			[1, () => `"\${NOT_SET:-${plain.startsWith("~") ? O : plain}}"`],
			[1, () => `"$PWD/${this.random.pick(["a", "../O/f", "sub"])}"`],
			[1, () => `"$(echo ${plain})"`],
			[1, () => `$(dirname ${plain})`],
			[1, () => `$(printf '%s' ${plain})`],
			[1, () => `{${plain},${this.#plainPath()}}`],
			[1, () => `${this.random.pick([`${O}/*`, "sub/*", `${O}/D/?`, "*", "ld/*", `${O}/[fg]`])}`],
			[1, () => `$'${plain.replaceAll("/", "\\x2f")}'`],
			[1, () => plain.replace(/(.)$/, "\\$1")],
		]);
	}

	/** A command that changes something. */
	#change(): string {
		const p = () => this.path();
		return this.#pick([
			[6, () => `rm -rf ${p()}`],
			[2, () => `rm -f ${p()} ${p()}`],
			[3, () => `mv ${p()} ${p()}`],
			[4, () => `cp -r ${p()} ${p()}`],
			[3, () => `touch ${p()}`],
			[2, () => `mkdir -p ${p()}`],
			[2, () => `ln -s ${p()} ${p()}`],
			[1, () => `ln -sfn ${p()} ${p()}`],
			[2, () => `echo x | tee ${p()}`],
			[1, () => `dd if=/dev/null of=${p()}`],
			[1, () => `truncate -s 0 ${p()}`],
			[2, () => `sed -i s/x/y/ ${p()}`],
			[1, () => `sort -o ${p()} a`],
			[1, () => `tar -cf ${p()} a`],
			[1, () => `tar -C ${p()} -xf t.tar`],
			[1, () => `chmod 600 ${p()}`],
			[1, () => `find ${p()} -name x -delete`],
			[1, () => `find ${p()} -type f -exec rm {} +`],
			[1, () => `rmdir ${p()}`],
			[1, () => `install -m 644 a ${p()}`],
		]);
	}

	#redirected(): string {
		const p = this.path();
		return this.#pick([
			[4, () => `echo x > ${p}`],
			[2, () => `echo x >> ${p}`],
			[1, () => `> ${p}`],
			[1, () => `ls /none 2> ${p}`],
			[1, () => `echo x &> ${p}`],
			[1, () => `cat <<'EOF' > ${p}\nrm -rf ${O}\nEOF`],
			[1, () => `cat <<EOF >> ${p}\n$(echo ${O})\nEOF`],
			[1, () => `{ echo a; echo b; } > ${p}`],
			[1, () => `exec 5> ${p}; echo x >&5`],
			[1, () => `: >| ${p}`],
			[1, () => `cat < a > ${p}`],
		]);
	}

	#harmless(): string {
		return this.random.pick([
			"true",
			"ls -la",
			"echo 'rm -rf /'",
			"cat a b",
			"grep -r x .",
			"test -e a",
			`ls ${O} ${H}`,
			"false",
			"printf '%s\\n' done",
			`echo "> ${O}/f"`,
		]);
	}

	/** A command that must fit into single quotes. */
	#quotable(): string {
		for (let k = 0; k < 20; k++) {
			const text = this.random.chance(0.7) ? this.#change() : this.#redirected();
			if (!/['\n]/.test(text)) return text;
		}
		return "rm -f a";
	}

	#assignment(): string {
		const name = this.random.pick(["V", "W", "DIR", "target"]);
		this.#variables.push(name);
		const value = this.path();
		return this.#pick([
			[5, () => `${name}=${/^[{*]/.test(value) ? this.#plainPath() : value}`],
			[1, () => `export ${name}=${this.#plainPath()}`],
			[1, () => `read -r ${name} <<< ${this.#plainPath()}`],
			[1, () => `${name}=$(mktemp -d)`],
		]);
	}

	#moving(): string {
		const p = this.path();
		return this.#pick([
			[5, () => `cd ${p}`],
			[1, () => `cd ${p} && ${this.command()}`],
			[1, () => `pushd ${p} > /dev/null`],
			[1, () => "popd > /dev/null"],
			[1, () => "cd -"],
			[1, () => "cd .."],
		]);
	}

	#wrapped(): string {
		const c = this.#quotable();
		return this.#pick([
			[2, () => `env X=1 ${c}`],
			[1, () => `nice -n 1 ${c}`],
			[1, () => `timeout -k 1 3 ${c}`],
			[1, () => `command ${c}`],
			[3, () => `sh -c '${c}'`],
			[2, () => `bash -c 'cd sub; ${c}'`],
			[1, () => `bash -c '${this.random.pick(["rm -rf", "touch"])} "$1"' _ ${this.path()}`],
			[2, () => `eval '${c}'`],
			[1, () => `echo '${c}' | sh`],
			[1, () => `bash <<'EOF'\n${c}\nEOF`],
			[1, () => `printf '%s\\n' '${c}' > s.sh; sh s.sh`],
			[1, () => `trap '${c}' EXIT`],
			[1, () => `echo ${this.path()} | xargs rm -rf`],
			[1, () => `find ${this.#plainPath()} -type f | xargs rm -f`],
			[1, () => `printf '%s\\0' ${this.#plainPath()} | xargs -0 -I% touch %`],
			[1, () => `echo "$(${c})"`],
			[1, () => `x=$(${c})`],
			[1, () => `cat <(${c})`],
		]);
	}

	/** What a shell expands once more, what stays open, and names for other names. */
	#strange(): string {
		const c = this.#quotable();
		const plain = this.#plainPath();
		return this.#pick([
			[
				1,
				() =>
					`x='a[$(${c})]'; ${this.random.pick(["(( x ))", "a[x]=1", "echo \x24{a[$x]}", "let y=x+1", "[[ x -eq 1 ]]", "declare -i n=x"])}`,
			],
			[1, () => `exec 3> s.sh; echo '${c}' >&3; sh s.sh`],
			[1, () => `exec {fd}> s.sh; printf '%s\\n' '${c}' >&$fd; sh s.sh`],
			[1, () => `{ echo '${c}' >&3; } 3>&1 | sh`],
			[1, () => `exec 3<<< ${plain}; read -r -u 3 l; rm -rf "$l"`],
			[1, () => `${this.random.pick(["exec 3>", "exec >>", "exec {fd}>"])} ${this.path()}`],
			[1, () => `(exec > s.sh; echo '${c}'); sh s.sh`],
			[1, () => `declare -n r=w; w=sub; r=${plain}; rm -rf "$w"`],
			[1, () => `t() { local -n q=$1; q+=(${plain}); }; e=(a); t e; rm -rf "\${e[@]}"`],
			[1, () => `mapfile -C '${c};:' -c 1 m < a`],
			[
				1,
				() =>
					`printf '#!/bin/sh\\n%s\\n' '${c}' > tool; chmod +x tool; PATH=.:$PATH ${this.random.pick(["tool", "env tool", "bash -c tool"])}`,
			],
			[1, () => `echo '${c}' > .bashrc; HOME=$PWD bash -ic :`],
			[1, () => `ln -s /bin/rm r; ./r -rf ${this.path()}`],
			[1, () => `hash -p /bin/rm u; u -rf ${this.path()}`],
			[2, () => `[ ${this.random.pick(["-d", "-e", "-f"])} ${plain} ] ${this.random.pick(["&&", "||"])} ${this.command()}`],
			[1, () => `if [[ ! -e ${plain} ]]; then ${this.command()}; else ${this.command()}; fi`],
			[1, () => `z=1; while [ $z -lt ${this.random.pick(["3", "200"])} ]; do z=$((z+1)); done; rm -rf "$z" ${this.path()}`],
		]);
	}

	#compound(): string {
		const p = () => this.path();
		const verb = this.random.pick(["rm -rf", "touch", "cp a"]);
		return this.#pick([
			[2, () => `(${this.list(2)})`],
			[2, () => `for v in ${p()} ${p()}; do ${verb} "$v"; done`],
			[1, () => `if ${this.#harmless()}; then ${this.command()}; else ${this.command()}; fi`],
			[1, () => `case ${this.random.pick(["a", "b"])} in a) ${this.command()};; *) ${this.command()};; esac`],
			[1, () => `f() { ${verb} "$1"; }; f ${p()}`],
			[1, () => `set -- ${p()}; ${verb} "$1"`],
			[1, () => `arr=(${p()} ${p()}); ${verb} "\${arr[${this.random.pick(["0", "1", "@"])}]}"`],
			[1, () => `while read -r l; do ${verb} "$l"; done <<< ${this.#plainPath()}`],
			[1, () => `{ ${this.list(2)}\n}`],
			[1, () => `! ${this.command()}`],
			[1, () => `${this.#harmless()} | while read -r l; do :; done; ${this.command()}`],
		]);
	}

	command(): string {
		this.#depth++;
		const deep = this.#depth > 4;
		const text = this.#pick([
			[6, () => this.#change()],
			[4, () => this.#redirected()],
			[3, () => this.#harmless()],
			[3, () => this.#assignment()],
			[3, () => (deep ? "true" : this.#moving())],
			[4, () => (deep ? "true" : this.#wrapped())],
			[3, () => (deep ? "true" : this.#compound())],
			[3, () => (deep ? "true" : this.#strange())],
		]);
		this.#depth--;
		return text;
	}

	/** A command about a few links that come, go and are written through. */
	#link(): string {
		const name = () => this.random.pick(["o", "o", "p", "d/o", "ld", "lin"]);
		const to = () => this.random.pick(["sub", "d", `${O}/D`, "ld", "lin", "../sub", "o"]);
		return this.#pick([
			[4, () => `ln -s ${to()} ${name()}`],
			[2, () => `ln ${this.random.pick(["-sf", "-sfn", "-sfT", "-snf"])} ${to()} ${name()}`],
			[2, () => `rm ${this.random.pick(["", "-f ", "-rf "])}${name()}`],
			[2, () => `mv ${this.random.pick(["", "-T ", "-n "])}${name()} ${name()}`],
			[1, () => `cp ${this.random.pick(["-a", "-an", "-aT", "-rs", "-P", "-aTf"])} ${name()} ${name()}`],
			[1, () => `mkdir ${name()}`],
			[1, () => "rm -rf d; mkdir d"],
			[1, () => `rm -rf d; ln -s ${to()} d`],
			[1, () => `ln ${this.random.pick(["", "-f ", "-L "])}${this.random.pick([`${O}/f`, "a", "lf"])} ${name()}`],
			[1, () => `cp ${this.random.pick(["-al", "-rl", "-l", "-r", "-a"])} ${this.random.pick([`${O}/D`, "d", "sub", `${O}/f`])} ${name()}`],
			[1, () => `mv d ${name()}`],
			[1, () => `cp -r d/. ${name()}`],
			[1, () => `cd ${name()}`],
			[2, () => this.#harmless()],
			[5, () => `${this.random.pick(["touch", "rm -f", "echo x >", "mkdir"])} ${name()}${this.random.pick(["/x", "/x", "/o/x", ""])}`],
		]);
	}

	/** The same few links in patterns, loops, archives and trees, and directories in their place. */
	#linkGame(): string {
		const name = () => this.random.pick(["o", "p", "ld", "lin", "sub/l", "build/l", "lf"]);
		const into = () => this.random.pick(["build", "build/", "d", "sub", "n"]);
		const from = () => this.random.pick(["sub", "d", "build", "."]);
		const to = () => this.random.pick([`${O}/D`, "d", "../sub", "ld", `${O}/f`]);
		return this.#pick([
			[3, () => `ln -s ${to()} ${this.random.pick(["sub/l", "d/l", "build/l", "o"])}`],
			[3, () => `${this.random.pick(["mv", "mv -n", "cp -a", "cp -r", "cp -RH", "cp -aL", "cp -al"])} ${from()}/* ${into()}`],
			[1, () => `${this.random.pick(["mv", "cp -a"])} ${from()}/l* ${into()}`],
			[1, () => `for f in ${from()}/*; do ${this.random.pick(["mv", "cp -a", "cp -d", "ln -s"])} "$f" ${into()}; done`],
			[
				1,
				() => `${this.random.pick(["cp -a", "cp -r", "cp -RL", "mv", "cp -al", "cp -rs"])} ${this.random.pick(["sub", "d", `${O}/D`])} n`,
			],
			[1, () => `cp -a . ../R/${this.random.pick(["n", "build/n"])}`],
			[1, () => `tar cf u.tar ${name()} sub; tar xf u.tar -C ${into()}`],
			[1, () => `tar c ${from()} | tar x${this.random.pick(["", " --strip-components=1"])} -C ${into()}`],
			[
				1,
				() =>
					`find ${from()} -maxdepth 1 -type l ${this.random.pick(["-delete", "-exec rm {} +", `-exec mv {} ${into()} \\;`, "| xargs rm -f", `| xargs mv -t ${into()}`])}`,
			],
			[2, () => `rm ${this.random.pick(["", "-f ", "-rf "])}${name()} && mkdir ${this.random.pick(["", "-p "])}${name()}`],
			[
				2,
				() =>
					`[ ${this.random.pick(["-L", "-e", "! -L", "-d"])} ${name()} ] ${this.random.pick(["&&", "||"])} ${this.random.pick(["rm", "unlink", "rm -f"])} ${name()}`,
			],
			[1, () => `if [ -L ${name()} ]; then rm ${name()}; else ${this.#link()}; fi`],
			[1, () => `(${this.#link()}) && ${this.#link()}`],
			[1, () => `mkdir ${this.random.pick(["", "-p "])}${name()} && cp a ${name()}/`],
			[1, () => `rm -rf ${this.random.pick(["sub", "d", "n"])}; mkdir -p ${this.random.pick(["sub/l", "d", "n/sub"])}`],
			[1, () => `${this.#link()} || exit 1`],
			[1, () => `${this.random.pick(["cp a", "mv b", "cp -a sub", "ln -sfn d", "ln -sf b", "mv -T d"])} ${name()}`],
			[3, () => this.#link()],
		]);
	}

	/** Several of those, the last one through a link. */
	links(): string {
		const one = () => (this.random.chance(0.5) ? this.#link() : this.#linkGame());
		let text = this.random.chance(0.1) ? `set -e; ${one()}` : one();
		for (let k = 2 + this.random.below(3); k > 0; k--) text += this.random.pick(["; ", " && ", " && ", "; ", " || ", "\n"]) + one();
		const last = this.random.pick([
			"o/n",
			"p/n",
			"d/o/n",
			"ld/n",
			"lin/n",
			"o",
			"p",
			"p/o/n",
			"o/o/n",
			"sub/o/n",
			"p/x",
			"build/l/n",
			"n/l/n",
			"d/l/n",
			"sub/l/n",
			"n/ld/n",
			"build/ld/n",
			"lf",
		]);
		return `${text}${this.random.pick(["; ", " && "])}${this.random.pick(["touch", "echo x >>"])} ${last}`;
	}

	/** A line. */
	line(): string {
		return this.random.chance(LINKS) ? this.links() : this.list(4);
	}

	/** Some commands with what stands between them; a here-document ends its line. */
	list(most: number): string {
		const count = 1 + this.random.below(most);
		let text = this.command();
		for (let k = 1; k < count; k++) {
			const glue = text.endsWith("EOF") ? "\n" : this.random.pick(["; ", " && ", " || ", "\n", "; ", " && "]);
			text += glue + this.command();
		}
		return text;
	}
}
