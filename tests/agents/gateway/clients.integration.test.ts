import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import type { AgentJob } from '../../../agents/external/agent-job.ts'
import { behindGateway } from '../../../agents/external/behind-gateway.ts'
import { settings } from '../../../agents/registry.ts'
import type { ModelHandle } from '../../../src/core/model.ts'
import { systemClock } from '../../../src/core/runtime.ts'
import { createModel } from '../../../src/models/registry.ts'
import { completion, type Play, send, startOpenAiServer } from '../../models/openai-server.ts'
import { calls, question, says, scripted, table, world } from '../harness.ts'

const servers: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
})

type Work = (job: AgentJob) => Promise<string | null>

/** Makes one attempt with a function as the agent. */
async function attempt(model: ModelHandle, work: Work, more: Parameters<typeof world>[1] = {}) {
  const run = async (job: AgentJob) => ({ answerText: await work(job), failure: null })
  const here = world(model, { agent: behindGateway({ summary: 'a function', run }), ...more })
  const outcome = await settings.get('online').run(question, here.environment)
  return { ...outcome, ...here }
}

async function served(play: Play) {
  const server = await startOpenAiServer(play)
  servers.push(server)
  const options = {
    contextWindow: 60_000,
    toolProtocol: 'auto' as const,
    seed: 0,
    env: { OPENAI_API_KEY: 'sk-secret' },
  }
  const source = await createModel(`openai:secret-model@${server.url}`, options)
  return { server, model: source.forAttempt({ taskId: 't', setting: 'online', trial: 0, seed: 7 }) }
}

const openAi = ({ addresses }: AgentJob) =>
  new OpenAI({ baseURL: addresses.OPENAI_BASE_URL!, apiKey: addresses.OPENAI_API_KEY!, maxRetries: 2 })
const anthropic = ({ addresses }: AgentJob) =>
  new Anthropic({
    baseURL: addresses.ANTHROPIC_BASE_URL!,
    apiKey: addresses.ANTHROPIC_API_KEY!,
    maxRetries: 2,
  })
const parameters = { type: 'object', properties: { q: { type: 'string' } } }
const user = { role: 'user' as const, content: 'Go' }

/** A tool call and then the table, from a model without a server. */
const twoTurns = () => scripted({ turns: [calls(['search', { q: 'x' }]), says(table)] })

describe('an official client', () => {
  it.each([false, true])(
    "of OpenAI's chat completions calls tools and reads the answer (streamed: %s)",
    async stream => {
      const { termination, answerText, usage } = await attempt(twoTurns(), async job => {
        const client = openAi(job)
        const tools = [{ type: 'function' as const, function: { name: 'search', parameters } }]
        const messages: OpenAI.ChatCompletionMessageParam[] = [user]
        const ask = async () => {
          if (!stream) return await client.chat.completions.create({ model: 'any', messages, tools })
          return await client.beta.chat.completions
            .stream({ model: 'any', messages, tools, stream_options: { include_usage: true } })
            .finalChatCompletion()
        }
        const first = await ask()
        const { message, finish_reason } = first.choices[0]!
        expect(finish_reason).toBe('tool_calls')
        expect(message.tool_calls![0]).toMatchObject({ function: { name: 'search', arguments: '{"q":"x"}' } })
        expect(first).toMatchObject({ model: 'any', usage: { prompt_tokens: 10, completion_tokens: 5 } })
        messages.push(message, { role: 'tool', tool_call_id: message.tool_calls![0]!.id, content: 'found' })
        return (await ask()).choices[0]!.message.content
      })
      expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
      expect(answerText).toBe(table)
      expect(usage).toMatchObject({ modelCalls: 2, inputTokens: 20, outputTokens: 10 })
    },
  )

  it.each([false, true])(
    "of OpenAI's responses calls tools and reads the answer (streamed: %s)",
    async stream => {
      const { answerText } = await attempt(twoTurns(), async job => {
        const client = openAi(job)
        const tools = [{ type: 'function' as const, name: 'search', parameters, strict: false }]
        const input: OpenAI.Responses.ResponseInput = [user]
        const ask = async () => {
          if (!stream) return await client.responses.create({ model: 'any', input, tools })
          return await client.responses.stream({ model: 'any', input, tools }).finalResponse()
        }
        const first = await ask()
        const call = first.output[0] as OpenAI.Responses.ResponseFunctionToolCall
        expect(call).toMatchObject({ type: 'function_call', name: 'search', arguments: '{"q":"x"}' })
        expect(first).toMatchObject({ status: 'completed', model: 'any', usage: { total_tokens: 15 } })
        input.push(call, { type: 'function_call_output', call_id: call.call_id, output: 'found' })
        const [message] = (await ask()).output as OpenAI.Responses.ResponseOutputMessage[]
        return (message!.content[0] as OpenAI.Responses.ResponseOutputText).text
      })
      expect(answerText).toBe(table)
    },
  )

  it.each([false, true])(
    "of Anthropic's messages calls tools and reads the answer (streamed: %s)",
    async stream => {
      const { answerText } = await attempt(twoTurns(), async job => {
        const client = anthropic(job)
        const tools = [{ name: 'search', input_schema: parameters as Anthropic.Tool.InputSchema }]
        const messages: Anthropic.MessageParam[] = [user]
        const body = { model: 'any', max_tokens: 500, messages, tools }
        const ask = async () =>
          stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body)
        const first = await ask()
        const call = first.content[0] as Anthropic.ToolUseBlock
        expect(call).toMatchObject({ type: 'tool_use', name: 'search', input: { q: 'x' } })
        expect(first).toMatchObject({ model: 'any', stop_reason: 'tool_use', usage: { input_tokens: 10 } })
        messages.push(
          { role: 'assistant', content: first.content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'found' }] },
        )
        return ((await ask()).content[0] as Anthropic.TextBlock).text
      })
      expect(answerText).toBe(table)
    },
  )

  it('does not repeat a call that the budget refuses, and the attempt ends by its budget', async () => {
    const model = scripted({ turns: [says('more')] })
    const { termination, of } = await attempt(
      model,
      async job => {
        await openAi(job).chat.completions.create({ model: 'any', messages: [user] })
        await expect(openAi(job).chat.completions.create({ model: 'any', messages: [user] })).rejects.toThrow(
          /400.*Answer now/,
        )
        await expect(openAi(job).responses.create({ model: 'any', input: 'Go' })).rejects.toThrow(
          /400.*Answer now/,
        )
        await expect(
          anthropic(job).messages.create({ model: 'any', max_tokens: 9, messages: [user] }),
        ).rejects.toThrow(/400.*Answer now/)
        return null
      },
      { caps: { modelCalls: 1 }, clock: systemClock },
    )
    expect(termination).toMatchObject({ cause: 'budget', reason: 'model-calls' })
    expect(of('budget-refused')).toHaveLength(1)
  })
})

describe("a model's server", () => {
  it('gets the requests of a client with the key and name of the run, which the client does not see', async () => {
    const { server, model } = await served((_request, response) =>
      send(response, 200, completion({ content: table }, { model: 'secret-model' })),
    )
    const { answerText, termination, usage } = await attempt(model, async job => {
      const answer = await openAi(job).chat.completions.create({ model: 'any', messages: [user] })
      expect(JSON.stringify([answer, job.addresses])).not.toMatch(/secret/)
      return answer.choices[0]!.message.content
    })
    expect(server.seen[0]!.headers.authorization).toBe('Bearer sk-secret')
    expect(server.seen[0]!.body).toMatchObject({ model: 'secret-model', seed: 7, messages: [user] })
    expect([answerText, termination.reason, usage.inputTokens]).toEqual([table, 'answered', 11])
  })

  it('streams through the gateway to a client', async () => {
    const { server, model } = await served((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const chunk = (delta: object, finish: string | null = null) =>
        response.write(
          `data: ${JSON.stringify({ model: 'secret-model', choices: [{ index: 0, delta, finish_reason: finish }] })}\r\n\r\n`,
        )
      for (const word of table.split(/(?<= )/)) chunk({ content: word })
      chunk({}, 'stop')
      response.write(`data: {"choices":[],"usage":{"prompt_tokens":11,"completion_tokens":7}}\r\n\r\n`)
      response.end('data: [DONE]\r\n\r\n')
    })
    const { answerText, usage } = await attempt(model, async job => {
      const stream = await openAi(job).chat.completions.create({
        model: 'any',
        messages: [user],
        stream: true,
      })
      let text = ''
      for await (const chunk of stream) text += chunk.choices[0]!.delta.content ?? ''
      return text
    })
    expect(server.seen[0]!.body.stream_options).toEqual({ include_usage: true })
    expect([answerText, usage.inputTokens, usage.outputTokens]).toEqual([table, 11, 7])
  })

  it('that refuses the key ends the attempt as its provider, with one request', async () => {
    const { server, model } = await served((_request, response) =>
      send(response, 401, { error: { message: 'invalid api key for secret-model' } }),
    )
    const { termination } = await attempt(model, async job => {
      const asked = openAi(job).chat.completions.create({ model: 'any', messages: [user] })
      await expect(asked).rejects.toThrow(/^400.*invalid api key for the model/)
      return null
    })
    expect(termination).toMatchObject({
      cause: 'provider',
      reason: 'auth',
      fatalService: 'openai:secret-model',
    })
    expect(server.seen).toHaveLength(1)
  })

  it('that breaks off each stream ends the attempt as its provider', async () => {
    const { server, model } = await served((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n')
      setImmediate(() => response.destroy())
    })
    const { termination } = await attempt(model, async job => {
      const stream = await openAi(job).chat.completions.create({
        model: 'any',
        messages: [user],
        stream: true,
      })
      await expect(
        (async () => {
          for await (const _chunk of stream);
        })(),
      ).rejects.toThrow()
      return null
    })
    expect(termination).toMatchObject({ cause: 'provider', reason: 'unavailable' })
    expect(server.seen).toHaveLength(1)
  })

  it('hears that the client of an agent has gone', async () => {
    let closed = (): void => undefined
    const upstreamClosed = new Promise<void>(resolve => (closed = resolve))
    const { model } = await served((_request, response) => void response.once('close', () => closed()))
    const { usage } = await attempt(model, async job => {
      const gone = new AbortController()
      const asked = openAi(job).chat.completions.create(
        { model: 'any', messages: [user] },
        { signal: gone.signal },
      )
      setTimeout(() => gone.abort(), 200)
      await expect(asked).rejects.toThrow()
      await upstreamClosed
      return null
    })
    expect(usage).toMatchObject({ modelCalls: 1, inputTokens: null })
  })
})
