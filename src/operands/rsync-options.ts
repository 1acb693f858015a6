// The options of rsync(1) 3.2 to 3.5, with what they mean for the files that a call writes.

import type { Grammar } from "./options.ts";

/**
 * popt(3) takes no abbreviations, which makes them errors, and a `=` between a letter and its glued value. `log` and `batch`
 * stand on the working directory, `beside` on the destination.
 */
export const RSYNC: Grammar = {
	rows: [
		["-a --archive", "no", "recursive"],
		["-r --recursive", "no", "recursive"],
		["-n --dry-run --list-only", "no", "dry"],
		["--remove-source-files --remove-sent-files", "no", "moves"],
		["--del --delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded", "no", "deletes"],
		["-L -k --copy-links --copy-dirlinks --copy-unsafe-links", "no", "follows"],
		["-K --keep-dirlinks", "no", "enters"],
		["-R --relative", "no", "relative"],
		["--files-from", "required", "list"],
		["--no-implied-dirs --no-i-d", "no", "enters-relative"],
		["--partial -P", "no", "partial"],
		["--sender", "no", "sends"],
		["-T --temp-dir --backup-dir --partial-dir", "required", "beside"],
		["--log-file", "required", "log"],
		["--write-batch", "required", "batch"],
		["--only-write-batch", "required", "batch-alone"],
		["--read-batch", "required", "reads-batch"],
		["-M --remote-option", "required", "other-side"],
		["-e --rsh", "required", "shell"],
		["--rsync-path --suffix --max-size --min-size --max-alloc --max-delete --block-size -B --modify-window -@", "required"],
		["-f --filter --exclude --exclude-from --include --include-from", "required", "chooses"],
		["--compare-dest --copy-dest --link-dest --confine-root", "required"],
		["--compress-level --zl --compress-choice --zc --compress-threads --zt --skip-compress --checksum-choice --cc", "required"],
		["--checksum-seed --bwlimit --timeout --contimeout --port --address --sockopts --password-file --early-input", "required"],
		["--log-file-format --out-format --log-format --protocol --iconv --chmod --chown --copy-as --usermap --groupmap", "required"],
		["--outbuf --stop-after --stop-at --time-limit --info --debug --stderr", "required"],
		["-v -q -c -b -u -d -l -H -p -E -A -X -o -g -D -t -U -N -O -J -S -W -x -z -C -0 -s -8 -h -i -4 -6 -y -I -F -m", "no"],
		["-V", "no", "inform"],
		["--verbose --quiet --checksum --backup --update --dirs --old-dirs --old-d --links --hard-links --perms --owner --group", "no"],
		["--times --devices --specials --drop-D --copy-devices --write-devices --xattrs --acls --sparse --numeric-ids", "no"],
		["--executability --super --fake-super --atimes --open-noatime --crtimes --omit-dir-times --omit-link-times --fsync", "no"],
		["--inplace --append --append-verify --whole-file --existing --ignore-non-existing --ignore-existing --fuzzy", "no"],
		["--prune-empty-dirs --delete-missing-args --ignore-missing-args --force --ignore-errors --delay-updates --mkpath", "no"],
		["--safe-links --insecure-links --munge-links --implied-dirs --i-d --inc-recursive --i-r --one-file-system", "no"],
		["--ignore-times --size-only --preallocate --cvs-exclude --from0 --old-args --secluded-args --protect-args", "no"],
		["--trust-sender --motd --msgs2stderr --stats --human-readable --8-bit-output --progress --itemize-changes", "no"],
		["--compress --old-compress --new-compress --qsort --blocking-io --ipv4 --ipv6 --server", "no"],
	],
};
