// What single words of a guardfile must look like: names of tools and variables, programs, directories, texts.

import { fromText } from "../policy/bytes.ts";
import { didYouMean } from "./nearest.ts";
import { shown } from "./problem.ts";

/** Why a word is wrong; undefined when it is right. */
type Check = (text: string) => string | undefined;

/** Control characters, and those that turn the direction of writing or break a line: names and texts are shown to people. */
const CONTROL = /\p{Cc}|[\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

function controlled(text: string): string | undefined {
	return CONTROL.test(text) ? `${shown(text)} holds a control character` : undefined;
}

/** A policy file is called NAME.json, and no name of a file is longer than 255 bytes (limits.h, NAME_MAX). */
const LONGEST_NAME = 255 - ".json".length;

/** Names that stand beside the tools' own in the policy or in the directory of the shims. */
const TAKEN: readonly string[] = ["files", "floor", "manifest", "policy"];

/** A tool's name is the name of its shim and of its policy file. */
export const tool: Check = (text) => {
	if (text === "") return "the name of a tool is empty";
	if (text === "." || text === "..") return `${shown(text)} is the name of a directory`;
	if (text.includes("/")) return `${shown(text)} holds a slash; a tool is named as it is typed, and "exec" says where it lies`;
	if (text.toLowerCase().startsWith("tmx")) return `${shown(text)}: names that begin with tmx are its own`;
	if (TAKEN.includes(text)) return `${shown(text)} is a name that tmx needs for itself`;
	if (text.startsWith(".policy-")) return `${shown(text)} is a name that tmx needs for itself`;
	if (fromText(text).length > LONGEST_NAME) return `${shown(text)} is longer than ${LONGEST_NAME} bytes`;
	return controlled(text);
};

/** A bare name is looked up on PATH, an absolute path is taken as it is. */
export const program: Check = (text) => {
	if (text === "") return "the name of a program is empty";
	if (text.includes("/") && !text.startsWith("/")) {
		return `${shown(text)} is relative; name a program on PATH, or give its absolute path`;
	}
	if (text === "." || text === ".." || /\/(\.\.?)?$/.test(text)) return `${shown(text)} is the name of a directory`;
	return controlled(text);
};

/** A variable's name as shells can set it (POSIX 3.216, Name). */
export const variable: Check = (text) => {
	if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return undefined;
	const bare = text.replace(/^\$\{?|\}$/g, "");
	const advice = bare !== text && variable(bare) === undefined ? `; write ${shown(bare)}` : "";
	return `${shown(text)} is not the name of a variable${advice}`;
};

/** The words in braces in whose place something is put. */
const BRACED: readonly string[] = ["{uid}"];

/** A fixed root: absolute, since a guardfile stands nowhere, and nothing in it but `{uid}` is expanded. */
export const directory: Check = (text) => {
	if (text.startsWith("~") || text.startsWith("$"))
		return `${shown(text)} is not expanded here; write the absolute directory, or use "root-env"`;
	if (!text.startsWith("/")) return `${shown(text)} is relative; a root is an absolute directory`;
	for (const [word] of text.matchAll(/\{[^{}]*\}/g)) {
		if (!BRACED.includes(word)) return `nothing stands for ${shown(word)}${didYouMean(word, BRACED)}`;
	}
	return controlled(text);
};

/** A place that the floor leaves open: absolute or from the home directory, and none that would leave everything open. */
export const place: Check = (text) => {
	if (/^~[^/]/.test(text)) return `${shown(text)}: of home directories only one's own is known, "~/..."`;
	const path = text.replace(/^~/, "/home");
	if (text.startsWith("$")) return `${shown(text)} is not expanded here; write the absolute path, or one from "~/"`;
	if (!path.startsWith("/")) return `${shown(text)} is relative; write an absolute path, or one from "~/"`;
	if (path.split("/").includes("..")) return `${shown(text)} goes up by ".."; write the path that it comes to`;
	if (/^\/*$/.test(text)) return `${shown(text)} is the whole machine, and with it there is no floor; \`default "off"\` says so`;
	if (/^~\/*$/.test(text)) return `${shown(text)} is the whole home directory; name the directories in it that are meant`;
	return directory(path);
};

/** Words for people, several lines of them if need be; nothing that steers a terminal. */
export const text: Check = (text) => {
	if (text.trim() === "") return "the text is empty";
	return controlled(text.replace(/[\n\t]/g, ""));
};
