// Stand-ins for the model services of two agents, on loopback: each request is answered with the next step of a script.

/** One step: a shell command, another tool's call, or a patch. */
export type Step = string | { tool: string; input: object } | { patch: string };

/** What an agent sends back of a call: the text that the model would read. */
export interface Result {
	id: string;
	text: string;
}

export interface Model {
	port: number;
	/** The results of calls, as the last request had them. */
	results(): Result[];
	/** All that the model would have read by the end: the longest request, as JSON. */
	read(): string;
	stop(): void;
}

type Json = Record<string, unknown>;

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const flat = (value: unknown): string =>
	typeof value === "string"
		? value
		: list(value)
				.map((part) => String(part.text ?? ""))
				.join("");

/** Server-sent events (WHATWG HTML, 9.2). */
function stream(events: Json[]): Response {
	const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
	return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

let count = 0;
/** Agents take messages of one identifier for one message. */
const newId = () => `id_${++count}`;

/** The Messages API: content blocks that are started, filled and stopped. */
function message(model: unknown, content: Json): Json[] {
	const usage = { input_tokens: 1, output_tokens: 1 };
	const { text, input, ...rest } = content;
	const isText = content.type === "text";
	const empty = isText ? { type: "text", text: "" } : { ...rest, input: {} };
	const delta = isText ? { type: "text_delta", text } : { type: "input_json_delta", partial_json: JSON.stringify(input) };
	return [
		{
			type: "message_start",
			message: { id: newId(), type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null, usage },
		},
		{ type: "content_block_start", index: 0, content_block: empty },
		{ type: "content_block_delta", index: 0, delta },
		{ type: "content_block_stop", index: 0 },
		{ type: "message_delta", delta: { stop_reason: isText ? "end_turn" : "tool_use", stop_sequence: null }, usage },
		{ type: "message_stop" },
	];
}

/** A model of the Messages API, as Claude Code asks it. */
export function messages(script: readonly Step[]): Model {
	let results: Result[] = [];
	let longest = "";
	const answer = (request: Json): Json => {
		const text = JSON.stringify(request);
		if (text.length > longest.length) longest = text;
		const asked = list(request.messages);
		const tools = list(request.tools).map(({ name }) => name);
		// Each agent has a name of its own for its shell.
		const shell = ["Bash", "bash"].find((name) => tools.includes(name));
		const parts = asked.flatMap(({ content }) => list(content)).filter(({ type }) => type === "tool_result");
		if (parts.length >= results.length) results = parts.map((part) => ({ id: String(part.tool_use_id), text: flat(part.content) }));
		const turn = asked.filter(({ role }) => role === "assistant").length;
		const step = shell === undefined ? undefined : script[turn];
		if (step === undefined) return { type: "text", text: "done" };
		const call =
			typeof step === "string"
				? { tool: shell ?? "", input: { command: step, description: "a step" } }
				: (step as { tool: string; input: object });
		return { type: "tool_use", id: `step_${turn}`, name: call.tool, input: call.input };
	};
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		async fetch(request) {
			const { pathname } = new URL(request.url);
			if (!pathname.startsWith("/v1/messages")) return new Response("{}", { status: pathname === "/" ? 200 : 404 });
			const body = (await request.json()) as Json;
			if (pathname.endsWith("/count_tokens")) return Response.json({ input_tokens: 1 });
			const content = answer(body);
			if (body.stream) return stream(message(body.model, content));
			const usage = { input_tokens: 1, output_tokens: 1 };
			return Response.json({
				id: newId(),
				type: "message",
				role: "assistant",
				model: body.model,
				content: [content],
				stop_reason: "end_turn",
				usage,
			});
		},
	});
	return { port: server.port as number, results: () => results, read: () => longest, stop: () => void server.stop(true) };
}

/** A model of the Responses API, as Codex asks it. */
export function responses(script: readonly Step[]): Model {
	let results: Result[] = [];
	let longest = "";
	const answer = (request: Json): Json => {
		const text = JSON.stringify(request);
		if (text.length > longest.length) longest = text;
		const input = list(request.input);
		const outputs = input.filter(({ type }) => String(type).endsWith("_output"));
		if (outputs.length >= results.length) results = outputs.map((part) => ({ id: String(part.call_id), text: flat(part.output) }));
		const turn = input.filter(({ type }) => String(type).endsWith("_call")).length;
		const step = list(request.tools).length === 0 ? undefined : script[turn];
		const id = `step_${turn}`;
		if (step === undefined) return { type: "message", role: "assistant", id, content: [{ type: "output_text", text: "done" }] };
		const call = { id: `item_${turn}`, call_id: id, status: "completed" };
		if (typeof step === "string") return { ...call, type: "function_call", name: "exec_command", arguments: JSON.stringify({ cmd: step }) };
		if ("patch" in step) return { ...call, type: "custom_tool_call", name: "apply_patch", input: step.patch };
		return { ...call, type: "function_call", name: step.tool, arguments: JSON.stringify(step.input) };
	};
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		async fetch(request) {
			const { pathname } = new URL(request.url);
			if (pathname.includes("/models")) return Response.json({ models: [], data: [] });
			if (!pathname.endsWith("/responses")) return new Response("{}", { status: 404 });
			const item = answer((await request.json()) as Json);
			const usage = {
				input_tokens: 1,
				input_tokens_details: { cached_tokens: 0 },
				output_tokens: 1,
				output_tokens_details: { reasoning_tokens: 0 },
				total_tokens: 2,
			};
			const response = { id: newId(), object: "response", output: [] as Json[] };
			return stream([
				{ type: "response.created", response: { ...response, status: "in_progress" } },
				{ type: "response.output_item.added", output_index: 0, item },
				{ type: "response.output_item.done", output_index: 0, item },
				{ type: "response.completed", response: { ...response, status: "completed", output: [item], usage } },
			]);
		},
	});
	return { port: server.port as number, results: () => results, read: () => longest, stop: () => void server.stop(true) };
}

/** A model of the Gemini API, as Gemini CLI asks it. */
export function contents(script: readonly Step[]): Model {
	let results: Result[] = [];
	let longest = "";
	const answer = (request: Json): Json => {
		const text = JSON.stringify(request);
		if (text.length > longest.length) longest = text;
		const asked = list(request.contents);
		const tools = list(request.tools).flatMap((tool) => list(tool.functionDeclarations).map(({ name }) => name));
		const outputs = asked.flatMap(({ parts }) =>
			list(parts).flatMap(({ functionResponse }) => (functionResponse ? [functionResponse as Json] : [])),
		);
		if (outputs.length >= results.length) results = outputs.map(({ id, response }) => ({ id: String(id), text: JSON.stringify(response) }));
		const turn = asked.filter(({ role }) => role === "model").length;
		const step = tools.includes("run_shell_command") ? script[turn] : undefined;
		if (typeof step !== "string") return { text: "done" };
		return { functionCall: { name: "run_shell_command", args: { command: step } } };
	};
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		async fetch(request) {
			const { pathname } = new URL(request.url);
			if (pathname.includes(":countTokens")) return Response.json({ totalTokens: 1 });
			const part = answer((await request.json()) as Json);
			const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
			const reply = { candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [part] } }], usageMetadata };
			if (!pathname.includes(":streamGenerateContent")) return Response.json(reply);
			return new Response(`data: ${JSON.stringify(reply)}\r\n\r\n`, { headers: { "content-type": "text/event-stream" } });
		},
	});
	return { port: server.port as number, results: () => results, read: () => longest, stop: () => void server.stop(true) };
}
