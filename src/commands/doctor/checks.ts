// Doctor's checks, in the order in which they are made and shown.

import { agentShell } from "./agent-shell.ts";
import { agents } from "./agents.ts";
import { audit } from "./audit.ts";
import type { Check } from "./check.ts";
import { confine } from "./confine.ts";
import { guardfile } from "./guardfile.ts";
import { path } from "./path.ts";
import { policy } from "./policy.ts";
import { program } from "./program.ts";
import { refusal } from "./refusal.ts";
import { rootCheck, variableCheck } from "./roots.ts";
import { shims } from "./shims.ts";

export const CHECKS: readonly Check[] = [
	program,
	policy,
	guardfile,
	shims,
	path,
	variableCheck,
	rootCheck,
	audit,
	confine,
	refusal,
	agentShell,
	agents,
];
