import type { Reader } from "../policy/call.ts";
export const find: Reader = { name: "find", read: () => ({ operands: [], unread: [] }) };
