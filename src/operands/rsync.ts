// rsync: the last operand is written below, unless it is on another machine; sources go only with --remove-source-files.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import { type Grammar, has, parseOptions, values } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** rsync(1) 3.2; `writes` options name files or directories that rsync makes. */
const RSYNC: Grammar = {
	rows: [
		["--remove-source-files --remove-sent-files", "no", "moves"],
		["-K --keep-dirlinks", "no", "enters"],
		["-T --temp-dir", "required", "writes"],
		["--backup-dir --partial-dir --log-file --write-batch --only-write-batch", "required", "writes"],
		["-e --rsh --rsync-path --suffix --max-size --min-size --max-alloc --max-delete --block-size -B --modify-window -@", "required"],
		["-f --filter --exclude --exclude-from --include --include-from --files-from --compare-dest --copy-dest --link-dest", "required"],
		["--compress-level --compress-choice --checksum-choice --checksum-seed --skip-compress --bwlimit --timeout --contimeout", "required"],
		["--port --address --sockopts --password-file --early-input --log-file-format --out-format --read-batch --protocol", "required"],
		["--iconv --chmod --chown --usermap --groupmap --outbuf --stop-after --stop-at --trust-sender --remote-option -M", "required"],
		["--info --debug --stderr", "required"],
		[
			"-a -v -q -c -r -R -b -u -d -l -L -k -H -p -E -A -X -o -g -D -t -U -N -O -J -S -n -W -x -z -C -0 -s -8 -h -P -i -4 -6 -y -I -F -m",
			"no",
		],
		["--archive --verbose --quiet --checksum --recursive --relative --backup --update --dirs --links --copy-links --hard-links", "no"],
		["--delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --delete-missing-args --force", "no"],
		[
			"--inplace --append --append-verify --partial --progress --dry-run --whole-file --existing --ignore-existing --prune-empty-dirs",
			"no",
		],
		[
			"--perms --owner --group --times --devices --specials --xattrs --acls --sparse --numeric-ids --compress --stats --human-readable",
			"no",
		],
		["--copy-dirlinks --copy-unsafe-links --safe-links --munge-links --itemize-changes --list-only --mkpath", "no"],
		["--ignore-times --size-only --fuzzy --one-file-system --preallocate --delay-updates --from0 --protect-args --no-motd", "no"],
		["--ignore-errors --executability --super --fake-super --atimes --open-noatime --crtimes --omit-dir-times --blocking-io", "no"],
	],
};

/** HOST:PATH, HOST::MODULE and rsync:// are on another machine; a colon after a slash belongs to a name. */
const isRemote = (text: Bytes) => text.startsWith("rsync://") || /^[^/]+:/.test(text);

export const rsync: Reader = {
	name: "rsync",
	read(call) {
		const parsed = parseOptions(call, RSYNC);
		// `--no-OPTION` switches off what OPTION switched on, and takes nothing.
		const unknown = parsed.unread.filter((word) => !word.startsWith("--no-"));
		if (unknown.length > 0) return suspectReading(call, { ...parsed, unread: unknown });
		if (parsed.informs) return NOTHING;
		const operands: Operand[] = values(parsed, "writes").map((text) => ({ text, role: "written", leaf: "both" }));
		const last = parsed.operands.at(-1);
		if (last !== undefined && parsed.operands.length > 1 && !isRemote(last)) {
			// With -K a link to a directory in the destination tree is entered like a directory (rsync before 3.4.0).
			const below = has(parsed, "enters") && { below: { follow: "directories" as const } };
			operands.push({ text: last, role: "into", leaf: "both", ...below });
		}
		const sources = has(parsed, "moves") ? parsed.operands.slice(0, -1) : [];
		for (const text of sources) if (!isRemote(text)) operands.push({ text, role: "moved", leaf: "entry" });
		return { operands, unread: [] };
	},
};
