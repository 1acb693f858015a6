// What is said of an agent that takes hooks from files alone, of which a session writes none.

/** @param name the agent's name for `tmx install` */
export const fromFiles = (title: string, name: string): string =>
	`${title} takes hooks from its files alone, and this changes none: the session has the shims; "tmx install --agent ${name}" sets the hook up`;
