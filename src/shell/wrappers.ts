// The table of wrappers: commands that run another command, and what they change for it.

/** How a wrapper reads its words. Options are separated by spaces. */
export interface Wrapper {
	/** Options that take a value. */
	takes?: string;
	/** It runs a command only behind this word of its own. */
	verb?: RegExp;
	/** How many operands of its own stand before the command. */
	operands?: number;
	/** The same, but only words of this shape. */
	ifLike?: RegExp;
	/** Options whose value is a file that it writes. */
	writes?: string;
	/** Its first operand is a file that it writes. */
	makes?: true;
	/** Its first operand is a file that it makes where there is none. */
	locks?: true;
	/** Options whose value is the name of a variable that it takes away. */
	unsets?: string;
	/** Options with which nothing of the environment is handed on. */
	clears?: string;
	/** NAME=VALUE words before the command set variables. */
	assigns?: true;
	/** It looks the command up elsewhere: always, or with these options. */
	offPath?: true | string;
	/** Options whose value is the directory to go to. */
	chdir?: string;
	/** Its commands start in a directory that is not known, unless one of these options is given. */
	elsewhere?: string;
	/** Options with which paths mean something else: another root directory. */
	root?: string;
	/** Options with which it runs no command. */
	asks?: string;
	/** Options whose value is a line for a shell. */
	line?: string;
	/** The rest is one line for a shell: always, or with these options. */
	joins?: true | string;
	/** Always, unless one of these is given. */
	joinsUnless?: string;
	/** Each operand is a line for a shell, and so is each value of these options. */
	lines?: string;
	/** Options may stand behind operands, and operands are not the command. */
	permutes?: true;
	/** Without a command it runs a shell, which reads its input: always, or with these options. */
	shell?: true | string;
	/** Its operands are files that it writes: always, or with these options. */
	edits?: true | string;
	/** With these options its commands start in the home of another user. */
	homes?: string;
	/** It runs within the shell, and what it runs is looked up as the shell does it. */
	inShell?: true;
	/** It never comes back. */
	replaces?: true;
	/** What stands for the command is a package, perhaps with a version. */
	packages?: true;
}

/** util-linux, coreutils, sudo(8), procps, systemd, bash(1); the options as their manuals have them. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
	env: {
		takes: "-u --unset -C --chdir -S --split-string -a --argv0",
		chdir: "-C --chdir",
		unsets: "-u --unset",
		assigns: true,
		clears: "-i --ignore-environment -",
		offPath: "-i --ignore-environment -",
		asks: "--help --version",
	},
	sudo: {
		takes:
			"-u --user -g --group -p --prompt -h --host -D --chdir -C --close-from -R --chroot -r --role -t --type -T --command-timeout -U --other-user",
		chdir: "-D --chdir",
		root: "-R --chroot",
		assigns: true,
		offPath: true,
		joins: "-s --shell -i --login",
		shell: "-s --shell -i --login",
		edits: "-e --edit",
		homes: "-i --login",
		asks: "-l --list -v --validate -K --remove-timestamp -V",
	},
	sudoedit: { takes: "-u --user -g --group -p --prompt -h --host -C -D --chdir -T -r -t", edits: true, asks: "-V" },
	doas: { takes: "-u -C", offPath: true, assigns: true, joins: "-s", shell: "-s", asks: "-L -C" },
	pkexec: { takes: "--user", offPath: true, shell: true },
	run0: {
		takes: "-u --user -g --group -D --chdir --nice --slice --unit --property --setenv --machine",
		chdir: "-D --chdir",
		root: "--machine",
		offPath: true,
		shell: true,
	},
	runuser: { takes: "-g --group -G --supp-group -w -u --user", offPath: true },
	nice: { takes: "-n --adjustment", asks: "--help --version" },
	ionice: { takes: "-c --class -n --classdata -p --pid -P --pgid -u --uid", asks: "-p --pid -P --pgid -u --uid" },
	nohup: {},
	setsid: { asks: "--help --version" },
	timeout: { takes: "-k --kill-after -s --signal", operands: 1 },
	stdbuf: { takes: "-i --input -o --output -e --error" },
	chrt: { takes: "-T --sched-runtime -P --sched-period -D --sched-deadline", operands: 1, ifLike: /^\d/, asks: "-p --pid -m --max" },
	taskset: { operands: 1, asks: "-p --pid" },
	numactl: {
		takes: "-i --interleave -p --preferred -m --membind -N --cpunodebind -C --physcpubind -w --weighted-interleave",
		asks: "-H --hardware -s --show",
	},
	prlimit: { takes: "-p --pid -o --output", asks: "-p --pid" },
	setarch: { shell: true, operands: 1, ifLike: /^(linux32|linux64|i[3-6]86|x86_64|aarch64|arm.*|ppc.*|s390.*)$/ },
	linux32: { shell: true },
	linux64: { shell: true },
	setpriv: {
		takes:
			"--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig --selinux-label --apparmor-profile --landlock-access --landlock-rule --ptracer --reset-env",
		asks: "-d --dump",
	},
	flock: { takes: "-E --conflict-exit-code -w --wait --timeout -c --command", line: "-c --command", operands: 1, locks: true },
	script: {
		takes: "-c --command -E --echo -I --log-in -O --log-out -B --log-io -T --log-timing -m --logging-format -o --output-limit -t",
		line: "-c --command",
		writes: "-I --log-in -O --log-out -B --log-io -T --log-timing",
		makes: true,
		operands: 1,
		shell: true,
	},
	watch: { takes: "-n --interval -q --equexit", joins: true, joinsUnless: "-x --exec", asks: "-v --version -h --help" },
	time: { takes: "-o --output -f --format", writes: "-o --output" },
	unshare: {
		takes:
			"-R --root -w --wd -S --setuid -G --setgid --propagation --map-user --map-group --map-users --map-groups --setgroups --monotonic --boottime --owner",
		root: "-R --root",
		chdir: "-w --wd",
		shell: true,
	},
	nsenter: { takes: "-t --target -S --setuid -G --setgid", root: "-r --root -m --mount -a --all", elsewhere: "-" },
	chroot: { takes: "--groups --userspec", root: "*", operands: 1 },
	"systemd-run": {
		takes:
			"-p --property -u --unit --slice --uid --gid --nice --working-directory -E --setenv -M --machine -H --host --description --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --timer-property --path-property --socket-property --service-type",
		chdir: "--working-directory",
		elsewhere: "-d --same-dir --scope",
		root: "-M --machine",
		// What another machine runs.
		asks: "-H --host",
		shell: "-S --shell",
		offPath: true,
	},
	"systemd-inhibit": { takes: "--what --who --why --mode", asks: "--list" },
	strace: {
		takes: "-o --output -e -p --attach -s --string-limit -u --user -E --env -P --trace-path -a --columns -O -S -b -I -X -U",
		asks: "-p --attach -h -V",
		writes: "-o --output",
	},
	ltrace: { takes: "-o -e -p -s -u -a -A -D -F -l -n -w -x", asks: "-p -h -V", writes: "-o" },
	valgrind: { writes: "--log-file --xml-file --massif-out-file --callgrind-out-file --cachegrind-out-file" },
	catchsegv: {},
	"dbus-run-session": { takes: "--config-file --dbus-daemon" },
	"dbus-launch": {},
	"xvfb-run": { takes: "-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait" },
	"nix-shell": { takes: "--run --command -p --packages -A --attr -I --arg --argstr", line: "--run --command", permutes: true },
	fakeroot: { takes: "-l --lib --faked -s -i -b", shell: true },
	sshpass: { takes: "-p -f -d -P" },
	proot: {
		takes: "-r --rootfs -b --bind -m --mount -q --qemu -w --pwd --cwd -k --kernel-release -i --change-id -R -S",
		root: "-r --rootfs -b --bind -m --mount -R -S",
		chdir: "-w --pwd --cwd",
		shell: true,
	},
	"flatpak-spawn": { takes: "--directory --env --unset-env", chdir: "--directory", offPath: true },
	eatmydata: {},
	unbuffer: {},
	busybox: { offPath: true, asks: "--list --list-full --install --help" },
	toybox: { offPath: true, asks: "--long --help --version" },
	coreutils: { offPath: true, asks: "--list --help --version" },
	command: { inShell: true, offPath: "-p", asks: "-v -V" },
	builtin: { inShell: true },
	exec: { takes: "-a", clears: "-c", inShell: true, replaces: true },
	// What zsh takes for a modifier (zshmisc(1), Precommand Modifiers).
	noglob: { inShell: true },
	nocorrect: { inShell: true },
	"-": { inShell: true },
	repeat: { inShell: true, operands: 1 },
	caffeinate: { takes: "-t -w" },
	direnv: { verb: /^exec$/, operands: 1 },
	entr: { joins: "-s" },
	firejail: { root: "--private --chroot --overlay", asks: "--list --tree --top --join --shutdown", shell: true },
	gosu: { operands: 1, offPath: true },
	"su-exec": { operands: 1, offPath: true },
	faketime: { takes: "-f --exclude-monotonic -m -p", operands: 1 },
	perf: {
		verb: /^(stat|record|trace)$/,
		takes: "-o --output -e --event -F --freq -p --pid -t --tid -C --cpu -r --repeat -I --interval-print -c --count -G --cgroup",
		asks: "-p --pid -t --tid",
		writes: "-o --output",
	},
	rlwrap: { takes: "-a -b -C -f -g -H -l -m -o -O -p -P -q -s -S -t -z" },
	proxychains: { takes: "-f" },
	proxychains4: { takes: "-f" },
	torsocks: {},
	chronic: {},
	ifne: {},
	hyperfine: {
		takes:
			"-w --warmup -m --min-runs -M --max-runs -r --runs -p --prepare -s --setup -c --cleanup -C --conclude -P --parameter-scan -L --parameter-list -S --shell -u --time-unit -n --command-name --style --sort --output --input --reference --export-json --export-csv --export-markdown --export-asciidoc --export-orgmode",
		lines: "-p --prepare -s --setup -c --cleanup -C --conclude --reference",
		permutes: true,
		writes: "--export-json --export-csv --export-markdown --export-asciidoc --export-orgmode",
	},
	// The server of tmux may run since before the session, in another directory and with another PATH (tmux(1), COMMANDS).
	tmux: {
		verb: /^(new|new-session|neww|new-window|splitw|split-window|popup|display-popup|respawnp|respawn-pane|run|run-shell)$/,
		takes: "-c -e -f -F -l -L -n -p -s -S -t -x -y",
		chdir: "-c",
		elsewhere: "-c",
		offPath: true,
		joins: true,
	},
	screen: { takes: "-c -e -h -p -s -S -t -T", asks: "-X -Q -r -R -x" },
	// The loader of glibc runs the program that it is given (ld.so(8)).
	"ld-linux-x86-64.so.2": { takes: "--library-path --preload --argv0 --audit --inhibit-rpath", offPath: true, asks: "--list --verify" },
	"ld-linux-aarch64.so.1": { takes: "--library-path --preload --argv0 --audit --inhibit-rpath", offPath: true, asks: "--list --verify" },
	choom: { takes: "-n --adjust -p --pid", asks: "-p --pid" },
	cpulimit: { takes: "-l --limit -p --pid -e --exe", asks: "-p --pid -e --exe" },
	cgexec: { takes: "-g" },
	"ssh-agent": { takes: "-a -E -t -P -O", asks: "-k" },
	tini: { takes: "-p -e" },
	"dumb-init": {},
	"systemd-cat": { takes: "-t --identifier -p --priority --stderr-priority" },
	// What projects put before their commands: the manuals of npm, pnpm, Yarn, Bun, uv, Poetry, Bundler, conda and their like.
	npx: { takes: "-p --package -c --call -w --workspace --prefix", line: "-c --call", packages: true },
	pnpx: { takes: "-p --package", packages: true },
	bunx: { takes: "-p --package", packages: true },
	uvx: { takes: "--from --with --with-editable --with-requirements -p --python --directory --index", chdir: "--directory", packages: true },
	pipx: { verb: /^run$/, takes: "--spec --python --pip-args --index-url", packages: true },
	npm: { verb: /^(exec|x)$/, takes: "-p --package -c --call -w --workspace --prefix", line: "-c --call", elsewhere: "-", packages: true },
	pnpm: {
		verb: /^(exec|dlx)$/,
		takes: "-C --dir -F --filter --package -w --workspace-concurrency --resume-from",
		chdir: "-C --dir",
		joins: "-c --shell-mode",
		elsewhere: "-",
		packages: true,
	},
	yarn: { verb: /^(exec|dlx)$/, takes: "--cwd -p --package", chdir: "--cwd", elsewhere: "-", packages: true },
	bun: { verb: /^x$/, takes: "-p --package --cwd", chdir: "--cwd", packages: true },
	shx: { offPath: true },
	"cross-env": { assigns: true },
	concurrently: {
		takes: "-n --names -c --prefix-colors -p --prefix -l --prefix-length -m --max-processes -s --success --hide",
		lines: "",
		permutes: true,
	},
	watchexec: { takes: "-e --exts -w --watch -i --ignore -f --filter -d --debounce -s --signal -o --on-busy-update", joins: true },
	nodemon: { takes: "-x --exec -e --ext -w --watch -i --ignore -d --delay", line: "-x --exec", permutes: true },
	dotenvx: { verb: /^run$/, takes: "-e --env -f --env-file -fk --env-keys-file" },
	// python-dotenv has the verb, dotenv-cli has none.
	dotenv: { takes: "-f --file -e --env -c -p -v", operands: 1, ifLike: /^run$/ },
	uv: {
		verb: /^run$/,
		takes:
			"-p --python --with --with-editable --with-requirements --project --directory --env-file --extra --group --only-group --no-group --package -m --module",
		chdir: "--directory",
		asks: "-m --module -s --script",
	},
	poetry: { verb: /^run$/, takes: "-C --directory -P --project", chdir: "-C --directory" },
	pipenv: { verb: /^run$/ },
	pdm: { verb: /^run$/, takes: "-p --project" },
	bundle: { verb: /^exec$/ },
	conda: { verb: /^run$/, takes: "-n --name -p --prefix --cwd", chdir: "--cwd" },
	mamba: { verb: /^run$/, takes: "-n --name -p --prefix --cwd", chdir: "--cwd" },
	micromamba: { verb: /^run$/, takes: "-n --name -p --prefix --cwd -r --root-prefix -e --env", chdir: "--cwd" },
	mise: { verb: /^(exec|x)$/, takes: "-C --cd -c --command -E --env -j --jobs", chdir: "-C --cd", line: "-c --command" },
	hatch: { verb: /^run$/ },
	pixi: { verb: /^run$/, takes: "-e --environment" },
	rustup: { verb: /^run$/, operands: 1 },
	doppler: { verb: /^run$/, takes: "-p --project -c --config --command", line: "--command" },
	op: { verb: /^run$/, takes: "--env-file --account" },
	"aws-vault": { verb: /^exec$/, takes: "-d --duration --region", operands: 1 },
	pyenv: { verb: /^exec$/ },
	rbenv: { verb: /^exec$/ },
	asdf: { verb: /^exec$/ },
	nvm: { verb: /^exec$/, operands: 1, ifLike: /^(v?\d|lts|node$|stable$|system$)/ },
	fnm: { verb: /^exec$/, takes: "--using --using-file" },
	volta: { verb: /^run$/, takes: "--node --npm --pnpm --yarn" },
	opam: { verb: /^exec$/, takes: "--switch --root" },
	stack: { verb: /^exec$/, takes: "--package --cwd", chdir: "--cwd" },
	cabal: { verb: /^exec$/ },
	rye: { verb: /^run$/ },
	devbox: { verb: /^run$/, takes: "-c --config -e --env --env-file" },
	flox: { verb: /^activate$/, takes: "-d --dir -r --remote", joins: "-c --command" },
	// Each of these runs it in every package, or in the one that it is for.
	lerna: { verb: /^exec$/, takes: "--scope --ignore --concurrency --since", elsewhere: "-" },
	nx: { verb: /^exec$/, takes: "--projects", elsewhere: "-" },
	"env-cmd": { takes: "-f --file -r --rc-file -e --environments" },
	"cross-env-shell": { assigns: true, joins: true },
	sops: { verb: /^exec-env$/, operands: 1, joins: true },
	infisical: { verb: /^run$/, takes: "--env --path --projectId --token --domain", line: "-c --command" },
	chamber: { verb: /^exec$/, operands: 1 },
	envdir: { operands: 1 },
	foreman: { verb: /^run$/, takes: "-e --env -d --root -f --procfile", chdir: "-d --root" },
	honcho: { verb: /^run$/, takes: "-e --env -d --app-root -f --procfile", chdir: "-d --app-root" },
};
