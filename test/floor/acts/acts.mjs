// What a floor refuses, by node: `acts.mjs OUTSIDE INSIDE` prints `NAME ERRNO` or `NAME done`.

import * as fs from "node:fs";

const [outside, inside] = process.argv.slice(2);
const O = (name) => `${outside}/${name}`;
const I = (name) => `${inside}/${name}`;

const ACTS = {
	create: () => fs.writeFileSync(O("new"), "x"),
	write: () => fs.openSync(O("file"), "r+"),
	append: () => fs.appendFileSync(O("file"), "x"),
	"open-truncate": () => fs.writeFileSync(O("file"), "x"),
	truncate: () => fs.truncateSync(O("file"), 0),
	unlink: () => fs.unlinkSync(O("file")),
	rmdir: () => fs.rmdirSync(O("empty")),
	"rm-tree": () => fs.rmSync(O("tree"), { recursive: true, force: true }),
	"rename-out": () => fs.renameSync(O("file"), I("stolen")),
	"rename-in": () => fs.renameSync(I("mine"), O("put")),
	copy: () => fs.copyFileSync(I("mine"), O("put")),
	"copy-tree": () => fs.cpSync(inside, O("copied"), { recursive: true }),
	"link-in": () => fs.linkSync(I("mine"), O("hard")),
	symlink: () => fs.symlinkSync("file", O("soft")),
	mkdir: () => fs.mkdirSync(O("directory/below"), { recursive: true }),
	mkdtemp: () => fs.mkdtempSync(O("scratch-")),
};

for (const [name, act] of Object.entries(ACTS)) {
	try {
		act();
		console.log(name, "done");
	} catch (error) {
		console.log(name, error.code);
	}
}
