export const DEFAULT_POLICIES = "{}";
