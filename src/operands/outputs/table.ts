// Facts of tools that have no policy of their own and write files which an option or an operand names: a row each, as their manuals have them.

/** What becomes of operands. */
export type Fate = "first" | "last" | "second" | "second-or-first" | "all" | "behind-second";

/** How a tool names what it writes. Options are separated by spaces, each spelled with its dashes. */
export interface Row {
	/** The first operands that the row is for; without it the row is for every call. */
	verb?: RegExp;
	/** Options whose value is a file that is written, and a directory that files come into. */
	files?: string;
	into?: string;
	/** Options whose value is the directory that relative names stand on; and whether the first operand behind the verb is it. */
	from?: string;
	fromFirst?: true;
	/** Options that take a value and write nothing. */
	takes?: string;
	/** Its long options have one dash and letters are not bundled. */
	single?: true;
	/** Which operands, the verb aside, are written, and which directories that files come into. */
	written?: Fate;
	comes?: Fate;
	/** Where files come to when nothing else says it. */
	otherwise?: "." | undefined;
	/** Words with which nothing is written, or only with which something is. */
	unless?: RegExp;
	only?: RegExp;
	/** Words with which its operands are written; without one of them it reads them. */
	rewrites?: RegExp;
	/** Operands that name another place than a file of this machine. */
	far?: RegExp;
}

const REMOTE = /^[^/.][^/]*:/;
const URL = /^[a-z0-9]+:\/\//;
const PRINTS = /^(-[a-zA-Z0-9]*[ctl][a-zA-Z0-9]*|--(stdout|to-stdout|test|list))$/;

/** The names of several tools, or of a tool and its first operand's rows. */
export const ROWS: readonly [names: string, row: Row][] = [
	// Compilers, linkers and what works on their files (gcc(1), ld(1), go(1), rustc(1), cargo(1), javac(1), binutils).
	["gcc g++ cc c++ clang clang++ gfortran tcc c99 ld lld ld.lld ld.gold mold as nasm yasm", { single: true, files: "-o -MF -MJ" }],
	["rustc", { single: true, files: "-o", into: "--out-dir" }],
	[
		"go",
		{
			verb: /^(build|test)$/,
			single: true,
			files: "-o -coverprofile -cpuprofile -memprofile -blockprofile -trace",
			into: "-outputdir",
			from: "-C",
		},
	],
	["cargo", { verb: /^(new|init)$/, takes: "--name --vcs --edition --registry --color --config", comes: "last" }],
	[
		"cargo",
		{
			from: "-C",
			into: "--target-dir --root --artifact-dir",
			takes: "-p --package -F --features --manifest-path -j --bin --example --test",
		},
	],
	["javac kotlinc scalac", { single: true, into: "-d -s -h" }],
	[
		"objcopy llvm-objcopy",
		{
			written: "second-or-first",
			takes:
				"-I -O -F -B -j -R -N -K -L -G -W --input-target --output-target --target --binary-architecture --only-section --remove-section --strip-symbol --keep-symbol --add-section --update-section --dump-section --set-section-flags --rename-section --redefine-sym --add-gnu-debuglink --pad-to --gap-fill --change-addresses",
			files: "--dump-section",
		},
	],
	["strip llvm-strip", { files: "-o", takes: "-F -I -O -K -N -R --strip-symbol --keep-symbol --remove-section --target", written: "all" }],
	[
		"patchelf",
		{
			files: "--output",
			takes: "--set-rpath --add-rpath --set-interpreter --set-soname --add-needed --remove-needed",
			written: "last",
			only: /^--(set|add|remove|replace|shrink|force|no-|clear|rename)/,
		},
	],
	// What packages come into (pip, npm, uv, virtualenv, gem).
	["pip pip3", { verb: /^install$/, into: "-t --target --prefix --root --src", takes: "-r -c -e -i --index-url --extra-index-url" }],
	["pip pip3", { verb: /^(download|wheel)$/, into: "-d --dest -w --wheel-dir", takes: "-r -c -e -i --index-url --extra-index-url" }],
	[
		"npm",
		{
			verb: /^(i|install|ci|add|un|uninstall|rm|update|up|link|ln|prune|rebuild|dedupe|init)$/,
			into: "--prefix -C",
			takes: "-w --workspace --registry",
		},
	],
	["npm", { verb: /^pack$/, into: "--pack-destination" }],
	[
		"pnpm",
		{
			verb: /^(i|install|add|remove|rm|update|up|prune|dedupe|init|link|unlink|rebuild)$/,
			into: "-C --dir --prefix",
			takes: "-F --filter",
		},
	],
	["yarn", { verb: /^(|install|add|remove|upgrade|up|link|unlink|init)$/, into: "--cwd --modules-folder" }],
	["bun", { verb: /^(i|install|add|a|remove|rm|update|link|unlink|init)$/, into: "--cwd", takes: "--filter" }],
	["composer", { verb: /^(install|i|update|require|remove|dump-autoload|init)$/, into: "-d --working-dir" }],
	["poetry", { verb: /^new$/, comes: "last", takes: "--name --readme" }],
	[
		"poetry",
		{
			verb: /^(install|add|remove|update|lock|init|build)$/,
			into: "-C --directory -P --project -o --output",
			takes: "--with --without --only -G --group",
		},
	],
	["conda mamba micromamba", { verb: /^(create|install|remove|update)$/, into: "-p --prefix", takes: "-n --name -f --file -c --channel" }],
	["pip-compile", { files: "-o --output-file" }],
	["virtualenv", { comes: "last", takes: "-p --python --prompt --app-data" }],
	[
		"uv",
		{
			verb: /^pip$/,
			files: "-o --output-file",
			into: "-t --target --prefix",
			takes: "-r -c -e -p --python",
			only: /^(install|sync|compile)$/,
		},
	],
	[
		"uv",
		{
			verb: /^(venv|init)$/,
			into: "--directory --project",
			comes: "last",
			takes: "-p --python --prompt --name --cache-dir --config-file --index-url --default-index -i",
		},
	],
	[
		"uv",
		{
			verb: /^(sync|add|remove|lock|export|build)$/,
			files: "-o --output-file",
			into: "--directory --project --out-dir",
			takes: "-p --python --extra --group",
		},
	],
	// What makes projects: the named directory.
	[
		"create-next-app create-react-app create-vite create-vue create-svelte create-astro create-remix create-expo-app create-t3-app create-nuxt create-solid create-qwik create-hono create-docusaurus mkdirp",
		{ comes: "first", takes: "-t --template -e --example --example-path --import-alias --package-manager" },
	],
	["degit tiged", { comes: "second", far: URL }],
	["django-admin", { verb: /^(startproject|startapp)$/, comes: "second", takes: "--template -e --extension -n --name" }],
	["rails", { verb: /^new$/, comes: "first", takes: "-d --database -c --css -j --javascript -a -m --template -r" }],
	[
		"dotnet",
		{ verb: /^(new|publish|build|pack)$/, into: "-o --output", takes: "-c -f -r -n --configuration --framework --runtime --name" },
	],
	["flutter", { verb: /^create$/, comes: "last", takes: "--org --project-name --template -t -a -i --platforms --description" }],
	["cookiecutter", { into: "-o --output-dir" }],
	["copier", { verb: /^copy$/, comes: "last", takes: "-d --data -r --vcs-ref -a --answers-file" }],
	["hg", { verb: /^clone$/, comes: "second", far: URL, takes: "-r --rev -b --branch -u --updaterev" }],
	["svn", { verb: /^(checkout|co|export)$/, comes: "second", far: URL, takes: "-r --revision --depth" }],
	// What tests, measures and shows: their reports.
	[
		"pytest py.test",
		{ files: "--junitxml --junit-xml --html --log-file --report-log", into: "--basetemp", takes: "-k -m -n -p -o -W -c --rootdir" },
	],
	["coverage", { verb: /^html$/, into: "-d --directory" }],
	["coverage", { verb: /^(xml|json|lcov)$/, files: "-o" }],
	["jest vitest", { files: "--outputFile", into: "--coverageDirectory --coverage.reportsDirectory --cacheDirectory" }],
	[
		"playwright",
		{
			verb: /^(screenshot|pdf)$/,
			written: "second",
			takes: "-b --browser --device --viewport-size --wait-for-selector --wait-for-timeout --color-scheme",
		},
	],
	["playwright", { verb: /^test$/, into: "--output", takes: "-c --config -g --grep -j --workers --project --reporter" }],
	[
		"google-chrome google-chrome-stable chromium chromium-browser chrome microsoft-edge",
		{ single: true, files: "--screenshot --print-to-pdf", into: "--user-data-dir" },
	],
	["pyproject-build", { into: "-o --outdir" }],
	["pyinstaller", { into: "--distpath --workpath --specpath" }],
	["mkdocs", { verb: /^build$/, into: "-d --site-dir", takes: "-f -t" }],
	["jupyter", { verb: /^nbconvert$/, into: "--output-dir", written: "all", rewrites: /^--inplace$/, takes: "--to --template --output" }],
	["papermill", { written: "second", takes: "-f -y -b -k" }],
	["tailwindcss openapi-typescript", { files: "-o --output", takes: "-i --input -c --config" }],
	["sass lessc", { written: "second", takes: "-I --load-path -s --style", far: /:/ }],
	["restic", { verb: /^restore$/, into: "-t --target", takes: "-r --repo -p --password-file -i --include -e --exclude" }],
	["mkcert", { single: true, files: "-key-file -cert-file -p12-file" }],
	["age age-keygen", { files: "-o --output", takes: "-r -R -i --recipient --identity" }],
	// Converters (pandoc(1), xmllint(1), dot(1), ffmpeg(1), ImageMagick, poppler, qpdf, TeX and their like).
	["pandoc", { files: "-o --output --log", into: "--extract-media", takes: "-f -t -r -w -V -M -H -B -A -T -c -F -L -D" }],
	["xmllint xsltproc", { single: true, files: "-o --output" }],
	["dot neato fdp sfdp twopi circo", { files: "-o", takes: "-T -K -G -N -E -l -n -s" }],
	["ffmpeg", { single: true, takes: "-i -f -t -ss -to -vf -af -c -map -r -s -b", written: "last", far: URL }],
	["convert magick montage composite", { single: true, written: "last", unless: /^(-list|-version|identify)$/ }],
	["rsvg-convert cwebp dwebp mmdc terser uglifyjs inkscape plantuml", { single: true, files: "-o --output --export-filename" }],
	[
		"qpdf wkhtmltopdf wkhtmltoimage pdfunite",
		{ written: "last", unless: /^--(check|show-.*|list-.*|json|is-encrypted|requires-password)/ },
	],
	["pdftotext pdftohtml", { single: true, written: "second-or-first", takes: "-f -l -r -x -y -W -H -enc -eol -opw -upw" }],
	["pdflatex xelatex lualatex latexmk tectonic", { single: true, into: "-output-directory --output-directory -outdir --outdir" }],
	["gs", { single: true, files: "-o -sOutputFile" }],
	["sphinx-build", { comes: "second", takes: "-b -d -c -D -A -t -j -w" }],
	["tsc", { single: true, files: "--outFile", into: "--outDir --declarationDir" }],
	["esbuild", { files: "--outfile --metafile", into: "--outdir" }],
	["vite", { verb: /^build$/, fromFirst: true, into: "--outDir", takes: "-c --config -m --mode -l --logLevel --base" }],
	["rollup babel swc", { files: "-o --file --out-file", into: "-d --dir --out-dir" }],
	["webpack", { into: "-o --output-path" }],
	["hugo", { from: "-s --source", into: "-d --destination", takes: "-c -t -b" }],
	// What changes the files that it is given (their manuals).
	[
		"prettier",
		{
			written: "all",
			only: /^(-w|--write)$/,
			takes: "--config --ignore-path --parser --plugin --stdin-filepath --cache-location --log-level --config-precedence",
		},
	],
	[
		"eslint stylelint oxlint rubocop",
		{
			files: "-o --output-file",
			written: "all",
			rewrites: /^(--fix|-a|-A|--auto(fix|-?correct.*))$/,
			takes:
				"-c --config --ext --rule -f --format --rulesdir --resolve-plugins-relative-to --ignore-path --ignore-pattern --cache-location --cache-file --parser --plugin --env --global --max-warnings -r --require --only --except --custom-syntax --config-basedir",
		},
	],
	["biome", { verb: /^(check|format|lint)$/, written: "all", only: /^--(write|fix|apply)$/, takes: "--config-path" }],
	[
		"ruff",
		{
			verb: /^check$/,
			written: "all",
			only: /^--fix$/,
			takes: "--config --select --ignore --extend-select --line-length --cache-dir --exclude --target-version --output-format",
		},
	],
	[
		"ruff",
		{
			verb: /^format$/,
			written: "all",
			unless: /^--(check|diff)$/,
			takes: "--config --line-length --cache-dir --exclude --target-version",
		},
	],
	[
		"black isort",
		{
			written: "all",
			unless: /^(--check(-only)?|--diff|-c|--stdout|-)$/,
			takes:
				"-l -t --config --line-length --target-version --profile --include --exclude --extend-exclude --force-exclude --workers -W --settings-path --sp --settings-file --src -p -s --skip --skip-glob --sg --extend-skip --extend-skip-glob --stdin-filename",
		},
	],
	["stylua", { written: "all", unless: /^(-c|--check|-)$/, takes: "-f --config-path -g --glob --stdin-filepath" }],
	["autoflake", { written: "all", only: /^(-i|--in-place)$/, takes: "--imports --exclude -j --jobs" }],
	[
		"nbstripout",
		{ written: "all", unless: /^(-t|--textconv|--(un)?install|--is-installed|--status|--dry-run)$/, takes: "--attributes --extra-keys" },
	],
	["codespell", { written: "all", only: /^(-[a-z]*w[a-z]*|--write-changes)$/, takes: "-L -I -S -x -D -i --skip --ignore-words" }],
	["golangci-lint", { verb: /^run$/, written: "all", only: /^--fix$/, takes: "-c --config -E -D --timeout" }],
	["php-cs-fixer", { verb: /^fix$/, written: "all", unless: /^--dry-run$/, takes: "--config --rules --path-mode" }],
	["optipng jpegoptim", { single: true, files: "-out", into: "-dir", written: "all", takes: "-o -m -d" }],
	["exiftool", { single: true, written: "all", only: /^-overwrite_original(_in_place)?$|^-[\w:]+[-+<]?=/, takes: "-o -ext" }],
	["sd", { written: "behind-second", takes: "-n -f --max-replacements --flags", unless: /^(-p|--preview)$/ }],
	[
		"ast-grep",
		{ written: "all", only: /^(-U|--update-all)$/, takes: "-p -r -l -c --pattern --rewrite --lang --config --globs --selector" },
	],
	["gofmt goimports shfmt", { written: "all", only: /^-[a-z]*w[a-z]*$/, takes: "-r -i -ln" }],
	["rustfmt", { written: "all", unless: /^(--check|--emit=stdout|stdout)$/, takes: "--edition --config --config-path --emit" }],
	[
		"clang-format autopep8 yapf",
		{ written: "all", only: /^(-i|--in-place|--inplace)$/, takes: "-style --style -a --global-config --exclude -e -p" },
	],
	["terraform tofu", { verb: /^fmt$/, single: true, from: "-chdir", written: "all", unless: /^--?(check|write=false)$/ }],
	// Archives and compressors (7z, rar, cpio(1), pigz(1), lz4(1), brotli(1)).
	["7z 7za 7zz 7zr", { verb: /^[aud]$/, single: true, written: "first" }],
	["7z 7za 7zz 7zr", { verb: /^[xe]$/, single: true, into: "-o", otherwise: ".", unless: /^-so$/ }],
	["rar", { verb: /^[aufmd]$/, written: "first" }],
	[
		"pigz unpigz pbzip2 lbzip2 lzip plzip zopfli",
		{ written: "all", files: "-o --output", takes: "-p -b -S --processes --blocksize --suffix", unless: PRINTS },
	],
	["lz4", { written: "second-or-first", takes: "-D", unless: PRINTS }],
	["brotli", { files: "-o --output", takes: "-q -w -S --quality --lgwin --suffix", written: "all", unless: PRINTS }],
	// Keys and certificates (openssl(1), gpg(1), ssh-keygen(1)).
	["openssl", { single: true, files: "-out -keyout -writerand -sigout", into: "-outdir" }],
	["gpg gpg2", { files: "-o --output --log-file", takes: "-u -r -R -N --recipient --local-user --homedir --keyring --passphrase-file" }],
	["ssh-keygen", { files: "-f", takes: "-t -b -C -N -P -m -I -n -O -V -s -E -a", unless: /^-[a-zA-Z]*[lyBFLQYkie]/ }],
	// Databases (pg_dump(1), mysqldump(1), psql(1), MongoDB, Redis).
	[
		"pg_dump pg_dumpall",
		{ files: "-f --file", takes: "-d -n -N -t -T -F -j -E -S -Z -h -p -U --dbname --host --port --username --schema" },
	],
	[
		"psql",
		{ files: "-o --output -L --log-file", takes: "-c -d -f -v -F -P -R -T -h -p -U --command --dbname --file --host --port --username" },
	],
	["mysqldump mariadb-dump", { files: "-r --result-file", into: "-T --tab", takes: "-u -h -P -S" }],
	["mongodump", { into: "-o --out" }],
	["mongoexport", { files: "-o --out" }],
	["redis-cli", { single: true, files: "--rdb", takes: "-h -p -a -n -u" }],
	// What is fetched (aria2c(1), yt-dlp(1), rclone(1), gh(1), docker(1), kubectl(1), aws(1)).
	["aria2c", { files: "-l --log", into: "-d --dir", takes: "-o --out -i -s -x -j -k -c -T --header", otherwise: "." }],
	[
		"rclone",
		{
			verb: /^(copy|sync|move|copyto|moveto|bisync)$/,
			written: "last",
			far: REMOTE,
			unless: /^(-n|--dry-run)$/,
			takes: "--config --transfers --checkers --include --exclude --filter --filter-from --bwlimit --max-age --min-age",
		},
	],
	["scp", { written: "last", far: REMOTE, takes: "-c -D -F -i -J -l -o -P -S -X" }],
	["docker podman nerdctl", { verb: /^cp$/, written: "last", far: REMOTE }],
	[
		"docker podman nerdctl",
		{ verb: /^(save|export|image|build|buildx)$/, files: "-o --output --iidfile --metadata-file", takes: "-t -f", far: /=/ },
	],
	["kubectl oc", { verb: /^cp$/, written: "last", far: REMOTE, takes: "-n --namespace -c --container --context" }],
	[
		"aws",
		{
			verb: /^s3$/,
			written: "last",
			far: URL,
			only: /^(cp|sync|mv)$/,
			unless: /^--dryrun$/,
			takes: "--ca-bundle --profile --region --endpoint-url --exclude --include --acl --storage-class --sse --content-type --cache-control",
		},
	],
	["gsutil", { verb: /^(cp|rsync|mv)$/, written: "last", far: URL }],
	[
		"gh",
		{ verb: /^(release|run)$/, files: "-O --output", into: "-D --dir", only: /^download$/, takes: "-p -R -n --pattern --repo --name" },
	],
	["terraform tofu", { verb: /^plan$/, single: true, files: "-out", from: "-chdir" }],
	[
		"terraform tofu",
		{
			verb: /^(apply|destroy|refresh)$/,
			single: true,
			files: "-state -state-out -backup",
			from: "-chdir",
			takes: "-var -var-file -target",
		},
	],
	[
		"helm",
		{ verb: /^(template|package|pull)$/, into: "--output-dir -d --destination --untardir", takes: "-f -n --values --set --version" },
	],
	// What records (tcpdump(1), nmap(1), logrotate(8)).
	["tcpdump tshark", { files: "-w", takes: "-i -c -r -s -f -Y -e -T -C -G -W -F -B" }],
	["nmap", { single: true, files: "-oN -oX -oG -oA -oS" }],
	["logrotate", { files: "-s --state -l --log" }],
	// What makes builds, lists trees, sets rights or copies (cmake(1), tree(1), setfacl(1), ditto(1), HTTPie, sftp(1), ncat(1)).
	[
		"cmake",
		{
			single: true,
			into: "-B --build --prefix",
			takes:
				"-D -S -G -T -A -C -U -P -L -j -t --target --config --preset --toolchain --component --parallel --default-directory-permissions",
		},
	],
	["tree", { files: "-o", takes: "-L -P -I -H -T --charset --filelimit --timefmt" }],
	[
		"setfacl",
		{ written: "all", takes: "-m -x -M -X --modify --remove --modify-file --remove-file --set --set-file", unless: /^--(test|restore)/ },
	],
	["ditto", { written: "last", takes: "--bom --arch --zlibCompressionLevel --lang --extattr" }],
	[
		"http https xh xhs",
		{
			files: "-o --output",
			takes: "-a --auth -A --auth-type -s --style -p --print --session --timeout --proxy --verify --cert --cert-key --ssl",
		},
	],
	["sftp", { written: "second", takes: "-B -b -c -D -F -i -J -l -o -P -R -s -S -X" }],
	[
		"ncat",
		{
			files: "-o --output -x --hex-dump",
			takes: "-e --exec -c --sh-exec -p -s -w -m -i -g -G -d --proxy --proxy-type --proxy-auth --ssl-cert --ssl-key",
		},
	],
	["base64", { files: "-o --output", takes: "-i -b -w" }],
];
