import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { type StructuredToolInterface, tool } from '@langchain/core/tools'
import { z } from 'zod/v4'
import { ownPrompts } from '../../agents/prompts/own-prompts.ts'
import type { SettingEnvironment } from '../../agents/setting.ts'
import type { EventBody, EventType } from '../../logs/events.ts'
import { eventBodySchema } from '../../logs/events.ts'
import type { ContextDocument } from '../../src/core/document.ts'
import type { ModelCallOptions, ModelHandle } from '../../src/core/model.ts'
import { type Clock, systemClock } from '../../src/core/runtime.ts'
import type { Question } from '../../src/core/task.ts'
import { sha256 } from '../../src/system/hash.ts'
import type { ToolArtifact, ToolEnvironment } from '../../tools/tool.ts'

export const question: Question = {
  taskId: 'financial_1_0_en',
  benchmark: 'aoe',
  domain: 'financial',
  language: 'en',
  query: 'Compare revenue.',
  documentNames: ['a.pdf', 'b.pdf'],
  form: { kind: 'table' },
}

export const table = 'Done.\n```csv\nname,revenue\na.pdf,"1,234"\n```'

/** A turn: a message, a failure, or a function that creates one from the request. */
export type Turn = AIMessage | Error | ((request: Request) => AIMessage | Promise<AIMessage>)
export interface Request {
  readonly messages: readonly BaseMessage[]
  readonly options: ModelCallOptions
  /** 0-based. */
  readonly call: number
}

export const usageOf = (input: number, output: number) => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: input + output,
})

export function says(text: string, more: Record<string, unknown> = {}): AIMessage {
  return new AIMessage({ content: text, usage_metadata: usageOf(10, 5), ...more } as never)
}

let lastId = 0
export function calls(
  ...asked: readonly (readonly [name: string, args: Record<string, unknown>])[]
): AIMessage {
  const tool_calls = asked.map(([name, args]) => ({
    type: 'tool_call' as const,
    id: `id-${++lastId}`,
    name,
    args,
  }))
  return says('', { tool_calls })
}

export interface Script extends Partial<ModelHandle> {
  readonly turns: readonly Turn[]
}

export interface ScriptedModel extends ModelHandle {
  readonly requests: Request[]
}

/** Creates a model that plays turns and repeats the last one. One character is one token. */
export function scripted({ turns, ...more }: Script): ScriptedModel {
  const requests: Request[] = []
  return {
    name: 'test:model',
    contextWindow: null,
    nativeTools: true,
    price: null,
    countTokens: text => text.length,
    requests,
    async call(messages, options) {
      const request = { messages: [...messages], options, call: requests.length }
      requests.push(request)
      const turn = turns[Math.min(request.call, turns.length - 1)]!
      if (turn instanceof Error) throw turn
      return typeof turn === 'function' ? await turn(request) : turn
    },
    ...more,
  }
}

/** A clock on which retries do not wait. Timers of a minute or more never fire. */
export const hastyClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => systemClock.sleep(ms >= 60_000 ? 2 ** 30 : 0, signal),
}

export interface World {
  readonly environment: SettingEnvironment
  readonly events: { step: number; body: EventBody }[]
  of<T extends EventType>(type: T): Extract<EventBody, { type: T }>[]
  readonly cancel: AbortController
}

type ToolMaker = (environment: ToolEnvironment) => StructuredToolInterface

export function world(
  model: ModelHandle,
  more: Partial<SettingEnvironment> & { tools?: never; makeTools?: readonly ToolMaker[] } = {},
): World {
  const events: World['events'] = []
  const cancel = new AbortController()
  const { makeTools, ...rest } = more
  const environment: SettingEnvironment = {
    attemptId: 'attempt',
    model,
    caps: {},
    prompts: ownPrompts(),
    chainOfThought: true,
    cutStrategy: 'even',
    options: {},
    maxOutputTokens: null,
    clock: hastyClock,
    signal: cancel.signal,
    documents: async () => [],
    retrieve: async () => ({ chunks: [], retriever: 'aoe', embedder: 'hash', k: 250 }),
    tools: grounds => (makeTools ?? [search(), page()]).map(make => make(grounds)),
    sharedToolEnvironment: { clock: hastyClock } as SettingEnvironment['sharedToolEnvironment'],
    emit: (step, body) => {
      eventBodySchema.parse(body)
      events.push({ step, body })
    },
    keepText: text => sha256(text),
    hasAnswer: answer => /```csv\n[^\n]+\n[^\n]+/.test(answer),
    ...rest,
  }
  return {
    environment,
    events,
    cancel,
    of: type => events.map(({ body }) => body).filter(body => body.type === type) as never,
  }
}

const plain = (truncated = false): ToolArtifact => ({ truncated, observations: [] })

/** Creates a web_search that charges each query and returns the text of `answer`. */
export function search(
  answer: (query: string) => string | Promise<string> = query => `hits for ${query}`,
): ToolMaker {
  return environment =>
    tool(
      async ({ queries }): Promise<[string, ToolArtifact]> => {
        const texts: string[] = []
        for (const query of queries) {
          environment.charge('searchCalls', `search: ${query}`)
          texts.push(await answer(query))
        }
        return [texts.join('\n'), plain()]
      },
      {
        name: 'web_search',
        description: 'searches',
        schema: z.object({ queries: z.array(z.string()) }),
        responseFormat: 'content_and_artifact',
      },
    )
}

/** Creates a fetch_page that charges each call once. */
export function page(
  answer: (url: string, environment: ToolEnvironment) => string | Promise<string> = url => `text of ${url}`,
): ToolMaker {
  return environment =>
    tool(
      async ({ url }): Promise<[string, ToolArtifact]> => {
        environment.charge('fetchCalls', `page: ${url}`)
        return [await answer(url, environment), plain()]
      },
      {
        name: 'fetch_page',
        description: 'opens',
        schema: z.object({ url: z.string(), part: z.int().optional() }),
        responseFormat: 'content_and_artifact',
      },
    )
}

export const document = (hint: string, text: string, problem: string | null = null): ContextDocument => ({
  hint,
  sha256: null,
  text,
  problem,
})
