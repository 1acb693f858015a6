// patch: changes the file that it is given, or those that the patch names below its directory.

import type { Operand, Reader } from "../policy/call.ts";
import { type Grammar, has, lastValue, parseOptions, values } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** patch(1), GNU 2.7. */
const PATCH: Grammar = {
	rows: [
		["-d --directory", "required", "directory"],
		["-o --output", "required", "output"],
		["-r --reject-file", "required", "rejects"],
		["-i --input", "required", "patch"],
		["-p --strip -F --fuzz -D --ifdef -B --prefix -Y --basename-prefix -z --suffix -V --version-control -g --get -x --debug", "required"],
		["--quoting-style --reject-format --read-only", "required"],
		["--merge", "optional"],
		["--dry-run -C --check", "no", "dry"],
		[
			"-b -c -e -E -f -l -n -N -R -s -t -T -u -v -Z --backup --context --ed --remove-empty-files --force --ignore-whitespace --normal",
			"no",
		],
		["--forward --reverse --quiet --silent --batch --set-time --unified --set-utc --posix --verbose --binary --follow-symlinks", "no"],
		["--backup-if-mismatch --no-backup-if-mismatch", "no"],
	],
};

export const patch: Reader = {
	name: "patch",
	read(call, look) {
		const parsed = parseOptions(call, PATCH);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs || has(parsed, "dry")) return NOTHING;
		const directory = lastValue(parsed, "directory") ?? ".";
		const at = look.directory(directory);
		const written = (text: string): Operand => ({ text, role: "written", leaf: "both", at });
		const output = lastValue(parsed, "output");
		const operands = [...values(parsed, "rejects"), ...(output === undefined ? [] : [output])].filter((text) => text !== "-").map(written);
		const [original] = parsed.operands;
		// The names in a patch lie below its directory: patch refuses others (since 2.7).
		if (output === undefined && original !== undefined) operands.push(written(original));
		if (output === undefined && original === undefined) operands.push({ text: directory, role: "into", leaf: "target" });
		return { operands, unread: [] };
	},
};
