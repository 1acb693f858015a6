// Names of packages and of the programs that they bring, as package runners are given them.

/** Programs of packages that the runners of a project start without a verb (`yarn NAME`, `pnpm NAME`, `bun NAME`), where they change files. */
export const BINS =
	"prettier eslint stylelint oxlint biome rimraf del-cli trash shx tsc esbuild vite rollup babel swc webpack terser uglifyjs mmdc cross-env " +
	"concurrently nodemon dotenv jest vitest playwright tailwindcss sass openapi-typescript degit mkdirp ast-grep";

/** Packages whose program has another name, as their package.json says. */
const PROGRAMS: Readonly<Record<string, string>> = {
	"@biomejs/biome": "biome",
	"@ast-grep/cli": "ast-grep",
	"@mermaid-js/mermaid-cli": "mmdc",
	"@playwright/test": "playwright",
	"@swc/cli": "swc",
	"@babel/cli": "babel",
	"@tailwindcss/cli": "tailwindcss",
	"dotenv-cli": "dotenv",
	"trash-cli": "trash",
	"make-dir-cli": "mkdirp",
};

/** A name with what says which version: `x@latest`, `@scope/x@1`, `npm:x`, and for Python `x==1`, `x[extra]`. */
const SPECIFIER = /^(?:npm:)?((?:@[^/@]+\/)?[^@=<>~![\]/]+)(?:[@=<>~![].*)?$/;

/** The program that a package stands for; the word itself where it is a path or an address. */
export function programOf(specifier: string): string {
	const name = SPECIFIER.exec(specifier)?.[1];
	if (name === undefined) return specifier;
	return Object.hasOwn(PROGRAMS, name) ? (PROGRAMS[name] as string) : name.slice(name.lastIndexOf("/") + 1);
}

/** The package that `npm create NAME` and its like run (npm-init(1)); undefined where the word is no name. */
export function creatorOf(specifier: string): string | undefined {
	const [, scope = "", name = "", version = ""] = /^(@[^/@]+)?\/?([^@/]*)(@.*)?$/.exec(specifier) ?? [];
	if (scope === "" && name === "") return undefined;
	return `${scope && `${scope}/`}create${name && `-${name}`}${version}`;
}

/** The program behind a path into the packages of a project; undefined for any other path. */
export const programAt = (path: string): string | undefined => /(?:^|\/)node_modules\/\.bin\/([^/]+)$/.exec(path)?.[1];
