// A page is imported as its text (`with { type: "text" }`).

declare module "*.md" {
	const text: string;
	export default text;
}
