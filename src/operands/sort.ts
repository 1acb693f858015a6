// sort: reads its operands, writes the file of -o and temporary files below -T.

import type { Operand, Reader } from "../policy/call.ts";
import { type Grammar, has, parseOptions, values } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** sort(1) of coreutils, FreeBSD and busybox; +POS of old stands for an operand. */
const SORT: Grammar = {
	rows: [
		["-o --output", "required", "writes"],
		["-T --temporary-directory", "required", "into"],
		["-k --key -t --field-separator -S --buffer-size", "required"],
		["--batch-size --parallel --random-source --files0-from --compress-program", "required"],
		["--sort --check", "optional"],
		["-c -C -b -d -f -g -i -M -h -n -R -r -V -m -s -u -z --debug --merge --stable --unique --zero-terminated --mmap", "no"],
		["--ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort", "no"],
		["--human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --qsort --mergesort --radixsort --heapsort", "no"],
	],
};

export const sort: Reader = {
	name: "sort",
	read(call) {
		const parsed = parseOptions(call, SORT);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		// POSIX has sort stop at the first operand; GNU takes -o behind it also with POSIXLY_CORRECT (coreutils manual, sort).
		const late = call.posix && !has(parsed, "writes") ? values(parseOptions({ ...call, posix: false }, SORT), "writes") : [];
		const operands = [...values(parsed, "writes"), ...late].map((text): Operand => ({ text, role: "written", leaf: "both" }));
		for (const text of values(parsed, "into")) operands.push({ text, role: "into", leaf: "target" });
		return { operands, unread: [] };
	},
};
