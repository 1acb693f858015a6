// One of many writers of one audit file: `audit-writer.ts FILE WRITER COUNT LIMIT` appends COUNT records by the code that the shim uses.

import { append } from "../../src/audit.ts";
import { system } from "../../src/sys/index.ts";

const [file = "", writer = "", count = "0", limit = "0"] = process.argv.slice(2);

for (let k = 0; k < Number(count); k++) {
	const record = { writer: Number(writer), k, padding: "x".repeat(40 + ((k * 37) % 160)) };
	if (!append(system, file, `${JSON.stringify(record)}\n`, Number(limit))) process.exitCode = 1;
}
