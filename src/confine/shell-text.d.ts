// A shell fragment is imported as its text (`with { type: "text" }`).

declare module "*.sh" {
	const text: string;
	export default text;
}
