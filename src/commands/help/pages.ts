// The pages that `tmx help` shows, by topic; each lies beside what it describes and is part of the binary.

import toolConfine from "../../../shims/tool-confine.md" with { type: "text" };
import audit from "../../audit.md" with { type: "text" };
import floor from "../../floor/floor.md" with { type: "text" };
import pathsWithin from "../../gates/paths-within.md" with { type: "text" };
import guardfile from "../../guardfile/guardfile.md" with { type: "text" };
import hook from "../../hook.md" with { type: "text" };
import wrap from "../../launch/wrap.md" with { type: "text" };
import shim from "../../shim.md" with { type: "text" };

interface Page {
	/** One line for the list of topics. */
	summary: string;
	/** Markdown, of which render.ts knows as much as the pages use. */
	text: string;
}

/** Add a page: the file beside its subject, and one line here. */
export const PAGES: Readonly<Record<string, Page>> = Object.assign(Object.create(null), {
	audit: { summary: "the record of verdicts: where it is, what it holds, how to read it", text: audit },
	floor: { summary: "what the kernel lets a session write, and what that does not cover", text: floor },
	guardfile: { summary: "the language of the policy; what tmx build writes, and where", text: guardfile },
	hook: { summary: "what an agent's hook sees, what it refuses, and how it is set up", text: hook },
	"paths-within": { summary: "the gate: its options, its rules, and what it does not see", text: pathsWithin },
	shim: { summary: "what happens when a guarded tool is called; exit status; which policy is meant", text: shim },
	"tool-confine": { summary: "a scope for each tool shell: how it gets there, its limits, when it does nothing", text: toolConfine },
	wrap: { summary: "a session: what it may change, what comes with it for each agent, how to widen it", text: wrap },
} satisfies Record<string, Page>);
