// The JavaScript engine. The binary is built to interpret for long, because a shim is gone before machine code pays; a long text is not read so soon.

/** What Bun has and its type declarations have not. */
interface Engine {
	unsafe?: {
		/** Multiplies the counts at which the engine compiles; 1 is what it does by itself. */
		setJITPolicy?(factor: number): void;
	};
}

/** Let the engine compile what runs often, from now on. It starts threads, so not before an exec. */
export function compileOften(): void {
	(globalThis as { Bun?: Engine }).Bun?.unsafe?.setJITPolicy?.(1);
}
