// What a program in the language of an interpreter does, as far as its words tell: whether it changes files or runs other programs.

/** Python, JavaScript and their libraries. */
const COMMON = [
	String.raw`\bos\.(?:remove|unlink|rmdir|removedirs|renames?|replace|link|symlink|truncate|chmod|chown|mkdir|makedirs|system|popen|exec\w*|spawn\w*)`,
	String.raw`\b(?:shutil|subprocess|child_process|fs-extra|rimraf|execa|zx)\b`,
	String.raw`\.(?:write_text|write_bytes|touch|symlink_to|hardlink_to|extractall|save|savefig|to_csv|to_json|dump)\(`,
	String.raw`\b(?:unlink|rm|rmdir|rename|writeFile|appendFile|copyFile|cp|mkdir|mkdtemp|symlink|link|truncate|chmod|chown|createWriteStream|exec|spawn)(?:File)?Sync\(`,
	String.raw`\b(?:unlink|rm|rmdir|rename|writeFile|appendFile|copyFile|mkdir|symlink|createWriteStream|spawn)\(`,
	String.raw`\b(?:D(?:eno)\.(?:remove|rename|write\w*|mkdir|copyFile|create|truncate|symlink|Command|run)|B(?:un)\.(?:write|spawn\w*|\$))`,
	String.raw`\bopen\([^;\n]*,\s*(?:mode\s*=\s*)?['"][rbtU]*[wax+]`,
	String.raw`(?<![.\w])(?:exec|eval|__import__|compile|Function)\(`,
];

/** Perl, Ruby, PHP, Lua. */
const SCRIPTING = [
	String.raw`\b(?:unlink|rename|rmdir|mkdir|rmtree|remove_tree|make_path|system|exec|symlink|sysopen|utime|truncate|chmod|chown|qx|popen|spawn)\b`,
	String.raw`\bopen\b[^;\n]*['"]\s*[+]?[>|]|\|\s*['"]\s*[;)]`,
	String.raw`\b(?:File\.(?:delete|unlink|rename|write|open|symlink|chmod|truncate|new)|Dir\.(?:rmdir|unlink|mkdir|delete)|IO\.(?:popen|write)|FileUtils|Pathname)\b`,
	String.raw`\b(?:file_put_contents|fopen|fwrite|shell_exec|passthru|proc_open|copy|touch|tempnam|move_uploaded_file|os\.(?:remove|rename|execute)|io\.(?:open|popen))\b`,
	"`|%x",
];

/** Made when they are asked for. */
const CHANGES = () => new RegExp(COMMON.join("|"));
const CHANGES_SCRIPTING = () => new RegExp([...COMMON, ...SCRIPTING].join("|"));

/** Options with the text of a program, by the names of the interpreters; and options that take another value. */
const INTERPRETERS: readonly [names: RegExp, text: RegExp, takes: RegExp, changes: () => RegExp][] = [
	[/^(?:python|pypy)[\d.]*$/, /^-[bBdEhiIOPqsSuvVx]*c$/, /^-[WXm]$/, CHANGES],
	[/^(?:node|nodejs|bun|deno|tsx|ts-node)$/, /^(?:-e|-p|-pe|--eval|--print|eval)$/, /^(?:-r|--require|--import|--loader|-C)$/, CHANGES],
	[/^(?:perl[\d.]*)$/, /^-[a-zA-Z]*[eE]$/, /^$/, CHANGES_SCRIPTING],
	[/^(?:ruby[\d.]*|lua[\d.]*|luajit|Rscript|julia|osascript)$/, /^-[a-zA-Z]*e$/, /^-[rIlC]$/, CHANGES_SCRIPTING],
	[/^php[\d.]*$/, /^-[rBRE]$/, /^-[dcz]$/, CHANGES_SCRIPTING],
];

/** What an interpreter is given. */
export interface Program {
	/** The texts of programs among its words. */
	texts: readonly string[];
	/** The word that names a file with the program: `-` or nothing is standard input, with its number among the words. */
	file: number | undefined;
	/** Whether a program changes files or runs others. */
	changes(text: string): boolean;
}

/** The program of a call of an interpreter; undefined for another tool. @param words those behind the name */
export function programOf(name: string, words: readonly string[]): Program | undefined {
	const [, text, takes, changes] = INTERPRETERS.find(([names]) => names.test(name)) ?? [];
	if (text === undefined || takes === undefined || changes === undefined) return undefined;
	const texts: string[] = [];
	const program = (file: number | undefined): Program => ({ texts, file, changes: (each) => changes().test(each) });
	for (let at = 0; at < words.length; at++) {
		const word = words[at] as string;
		if (text.test(word)) {
			texts.push(words[at + 1] ?? "");
			// What follows belongs to the program, where this is no option that stands several times.
			if (!/^-[a-zA-Z]*[eE]$/.test(word)) return program(undefined);
			at++;
		} else if (takes.test(word)) {
			if (word === "-m") return program(undefined);
			at++;
		} else if (word === "-" || !word.startsWith("-")) {
			if (texts.length > 0 || /^(?:run|x|test|install|add|build|create|pm|task|fmt|lint|check)$/.test(word)) return program(undefined);
			return program(at);
		}
	}
	return program(texts.length > 0 ? undefined : words.length);
}
