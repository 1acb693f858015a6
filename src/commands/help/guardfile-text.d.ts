// A guardfile is imported as its text (`with { type: "text" }`).

declare module "*.kdl" {
	const text: string;
	export default text;
}
