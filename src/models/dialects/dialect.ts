import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import type { ModelDialect, ModelSampling } from '../../core/model.ts'

/** A JSON object of a request or an answer. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A function that the agent offers to the model. */
export interface DescribedTool {
  readonly name: string
  readonly description: string
  /** JSON schema of the arguments. */
  readonly parameters: JsonObject
  /** The namespace that contains the tool, as in Codex's requests. `name` begins with it. Absent: none. */
  readonly namespace?: string
  /** True for OpenAI's `custom` tools, whose only argument is a text. */
  readonly isFreeform?: boolean
}

/** The parts of a request that its answer depends on. */
export interface AnswerRecipient {
  /** The model's name in the request, which answers repeat. The gateway sends the name of the run's model instead. */
  readonly model: string
  readonly isStreamed: boolean
  /** Whether the client expects the usage in a streamed answer. Only chat completions leave it out by default. */
  readonly wantsUsage: boolean
}

/** A request of an agent's client, in the terms of the gateway. */
export interface AgentRequest extends AnswerRecipient {
  /** The whole conversation, for the trace and for models that the gateway calls itself. */
  readonly messages: readonly BaseMessage[]
  /** Tools that the provider would run itself, such as a hosted web search, are left out. */
  readonly tools: readonly DescribedTool[]
  /** True when the request forbids tool calls. */
  readonly forbidsTools: boolean
  /** The most output tokens that the request asks for; null when it does not say. */
  readonly maxOutputTokens: number | null
}

/** What the gateway puts into a request that it passes on. */
interface ForwardedFields {
  readonly model: string
  readonly seed: number
  /** The run's options. They replace those of the request, even when the run leaves a setting to the provider. */
  readonly sampling: ModelSampling
  /** The cap of the budget; null for none. A smaller cap of the request is kept. */
  readonly maxOutputTokens: number | null
}

/** The changes that make a request the last one of its attempt. */
export interface LastRequestChanges {
  /** The text that demands the answer. It is sent as a message of the user. */
  readonly note: string
  /** The new text of each tool result, in order; null for a result that is not changed. */
  readonly toolResults: readonly (string | null)[]
  /** Whether a tool of this name searches or reads pages. Such tools are removed from the last request. */
  isWebTool(name: string): boolean
}

/** Reads an answer while it passes through the gateway. */
export interface AnswerReader {
  /**
   * Takes the body of a plain answer, or the next event of a streamed one.
   *
   * @returns the body or event for the agent's client, with the model name of its request; null when the client did not
   *   ask for it
   */
  take(part: JsonObject): JsonObject | null
  /** Whether the answer is complete. A stream that ends earlier was cut off. */
  isComplete(): boolean
  /**
   * Returns what was read so far: text, reasoning, tool calls and finish reason. It includes the billed usage once the
   * server has reported it. Null when nothing of this dialect was read.
   */
  answer(): AIMessage | null
}

/** One request form: how it is read, passed on, answered and refused. Every request form has its own file. */
export interface Dialect {
  readonly name: ModelDialect
  /** The path below the gateway's address, without a query. */
  readonly path: RegExp
  /**
   * Reads a request.
   *
   * @param path for forms whose URL names the model and the kind of answer
   * @throws BadRequestError when the body is not of this form
   */
  read(body: JsonObject, path: string): AgentRequest
  /** Returns the body for the model's server. Hosted tools are removed, and streamed usage is asked for where that is possible. */
  forward(body: JsonObject, fields: ForwardedFields): JsonObject
  /**
   * Returns the body of the last request of an attempt. It forbids tool calls, with one exception: when the request
   * demands a tool call, the agent takes its answer from that call. Such a request keeps all tools except those for the
   * web.
   */
  asLast(body: JsonObject, last: LastRequestChanges): JsonObject
  /** Returns the body of a plain answer. */
  write(answer: AIMessage, request: AgentRequest): JsonObject
  /** Returns the events of a streamed answer as the text of a `text/event-stream` body. */
  stream(answer: AIMessage, request: AgentRequest): Iterable<string>
  /** Returns a reader of the answer of the model's server. */
  openReader(recipient: AnswerRecipient, isStreamed: boolean): AnswerReader
  /** Returns the error body that clients of this form show, for a status such as 400. */
  error(status: number, message: string, code: string): JsonObject
}

/** A request that the gateway cannot read. It is answered with status 400 and is not charged. */
export class BadRequestError extends Error {
  override readonly name = 'BadRequestError'
}
