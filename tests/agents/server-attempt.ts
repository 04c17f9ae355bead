import type { ServerResponse } from 'node:http'
import { afterEach, expect } from 'vitest'
import { settings } from '../../agents/registry.ts'
import type { SettingEnvironment } from '../../agents/setting.ts'
import type { Question } from '../../src/core/task.ts'
import type { ModelOptions } from '../../src/models/model-source.ts'
import { createModel } from '../../src/models/registry.ts'
import { completion, type Play, send, startOpenAiServer } from '../models/openai-server.ts'
import { question, world } from './harness.ts'

const servers: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
})

export interface Setup extends Partial<Omit<SettingEnvironment, 'model' | 'options'>> {
  readonly options?: Partial<ModelOptions>
  /** The options of the setting. */
  readonly settingOptions?: SettingEnvironment['options']
  readonly asked?: Question
  /** The name of the model after `openai:`. */
  readonly model?: string
  readonly name?: string
  readonly makeTools?: Parameters<typeof world>[1] extends infer W
    ? NonNullable<W>['makeTools' & keyof W]
    : never
}

/** Runs a setting against an HTTP server that imitates the OpenAI API. */
export async function attempt(
  play: Play,
  {
    options,
    name = 'online',
    model: modelName = 'fake',
    settingOptions = {},
    asked = question,
    ...more
  }: Setup = {},
) {
  const server = await startOpenAiServer(play)
  servers.push(server)
  const source = await createModel(`openai:${modelName}@${server.url}`, {
    contextWindow: 60_000,
    toolProtocol: 'auto',
    seed: 0,
    env: {},
    ...options,
  })
  const model = source.forAttempt({ taskId: question.taskId, setting: name, trial: 0, seed: 0 })
  const here = world(model, { options: settingOptions, ...more } as never)
  const outcome = await settings.get(name).run(asked, here.environment)
  expect(outcome.termination.detail ?? '').not.toMatch(/127\.0\.0\.1|localhost|\d{4,5}\/v1/)
  return { ...outcome, ...here, seen: server.seen }
}

export type Protocol = 'native' | 'text'
export interface Asked {
  readonly name: string
  readonly args: Record<string, unknown>
}

/** Returns a completion that calls tools in the given protocol. */
export function asks(protocol: Protocol, ...asked: Asked[]) {
  if (protocol === 'text') {
    const written = asked.map(
      ({ name, args }) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
    )
    return completion({ content: written.join('\n') })
  }
  const tool_calls = asked.map(({ name, args }, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  return completion({ tool_calls })
}
export const searchFor = (query: string): Asked => ({ name: 'web_search', args: { queries: [query] } })
export const opens = (url: string): Asked => ({ name: 'fetch_page', args: { url } })
export const ok = (response: ServerResponse, body: unknown) => send(response, 200, body)
export const fails =
  (status: number, message: string, more: Record<string, unknown> = {}): Play =>
  (_request, response) =>
    send(response, status, { error: { message, ...more } })

/** Checks OpenAI's rules for a conversation: no empty assistant turn, one result per call, and no result without a call. */
export function expectWellFormed(messages: unknown): void {
  const open = new Set<string>()
  for (const message of messages as {
    role: string
    content?: unknown
    tool_calls?: { id: string }[]
    tool_call_id?: string
  }[]) {
    if (message.role === 'tool') {
      expect(open.delete(message.tool_call_id!)).toBe(true)
      continue
    }
    expect([...open]).toEqual([])
    if (message.role !== 'assistant') continue
    const asked = message.tool_calls ?? []
    expect(asked.length > 0 || (typeof message.content === 'string' && message.content !== '')).toBe(true)
    for (const { id } of asked) {
      expect(open.has(id)).toBe(false)
      open.add(id)
    }
  }
  expect([...open]).toEqual([])
}
