import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TraceEvent } from '../../../logs/events.ts'
import { resolveConfig } from '../../../src/config.ts'
import type { Attempt } from '../../../src/core/attempt.ts'
import { systemClock } from '../../../src/core/runtime.ts'
import { noSpans, openSpans } from '../../../src/run/open-run/spans/open-spans.ts'
import { executeRun } from '../../../src/run.ts'
import { demoPaths } from '../../../tasks/demo/demo.ts'
import { type CollectedSpan, startCollector, startSilentServer } from './collector.ts'

const answer = 'The words of the answer.\n```csv\na,b\n1,2\n```'
const usage = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10 }
const search = { name: 'web_search', args: { queries: ['a query that nobody may see'] } }
const missing = { name: 'fetch_page', args: { url: 'http://nowhere.invalid/page' } }

async function runWith(env: NodeJS.ProcessEnv, settings: readonly string[], script?: readonly object[]) {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-spans-'))
  const file = join(folder, 'model.jsonl')
  const lines = script ?? [
    {
      setting: 'online',
      turns: [
        { toolCalls: [search, missing], usage },
        { text: answer, usage },
      ],
    },
    { turns: [{ text: answer, usage }] },
  ]
  await writeFile(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  const out = join(folder, 'run')
  const config = resolveConfig({
    tasks: demoPaths.tasks,
    docs: demoPaths.documents,
    web: 'sealed',
    browser: 'off',
    setting: settings,
    limit: 2,
    cot: 'off',
    model: `scripted:${file}`,
    out,
  })
  const notices: string[] = []
  const startedAt = Date.now()
  const summary = await executeRun(config, {
    env,
    tell: event => {
      if (event.type === 'notice' && event.text.startsWith('spans:')) notices.push(event.text)
    },
  })
  const attempts = (await readFile(join(out, 'attempts.jsonl'), 'utf8')).trim().split('\n')
  return {
    out,
    notices,
    left: summary.left,
    tookMs: Date.now() - startedAt,
    attempts: attempts.map(line => JSON.parse(line) as Attempt),
  }
}

describe('the spans of a run', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let run: Awaited<ReturnType<typeof runWith>>
  const named = (start: string): CollectedSpan[] =>
    collector.spans.filter(span => span.name.startsWith(start))

  beforeAll(async () => {
    collector = await startCollector()
    run = await runWith({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` }, ['offline', 'online'])
  })
  afterAll(() => collector.close())

  it('reach the collector at /v1/traces under a service name of their own', () => {
    expect(new Set(collector.paths)).toEqual(new Set(['POST /v1/traces']))
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'tablehunt' })
    expect(run.notices).toEqual([])
  })

  it('are one for each attempt, with the model calls and tool calls below it', () => {
    expect(run.attempts).toHaveLength(4)
    for (const attempt of run.attempts) {
      const roots = named('invoke_agent ').filter(
        span => span.attributes['tablehunt.attempt.id'] === attempt.attemptId,
      )
      expect(roots).toHaveLength(1)
      const [root] = roots
      expect(root!.parentSpanId ?? '').toBe('')
      expect(root!.name).toBe(`invoke_agent ${attempt.setting}`)
      const below = collector.spans.filter(span => span.parentSpanId === root!.spanId)
      const online = attempt.setting === 'online'
      expect(below.map(span => span.name.split(' ')[0]).sort()).toEqual(
        online ? ['chat', 'chat', 'execute_tool', 'execute_tool'] : ['chat'],
      )
      for (const span of below) {
        expect(span.traceId).toBe(root!.traceId)
        expect(span.startMs).toBeGreaterThanOrEqual(root!.startMs)
        expect(span.endMs).toBeLessThanOrEqual(root!.endMs)
      }
    }
  })

  it('describe the attempt and its end', () => {
    const online = run.attempts.find(attempt => attempt.setting === 'online')!
    const root = named('invoke_agent ').find(
      span => span.attributes['tablehunt.attempt.id'] === online.attemptId,
    )!
    expect(root.status.code ?? 0).toBe(0)
    expect(root.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.conversation.id': online.attemptId,
      'gen_ai.usage.input_tokens': online.usage.inputTokens,
      'gen_ai.usage.output_tokens': online.usage.outputTokens,
      'tablehunt.task.id': online.taskId,
      'tablehunt.options': 'cot=off',
      'tablehunt.trial': 0,
      'tablehunt.cap.model_calls': 100,
      'tablehunt.spent.search_calls': online.usage.searchCalls,
      'tablehunt.termination.cause': 'agent',
      'tablehunt.termination.reason': 'answered',
      'tablehunt.answer.parse_status': 'table',
      'tablehunt.answer.rows': 1,
    })
  })

  it('contain the tokens of a model call, the name of a tool call, and failures', () => {
    const [chat] = named('chat ')
    expect(chat).toMatchObject({ kind: 3 })
    expect(chat!.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.cache_read.input_tokens': 40,
      'gen_ai.usage.output_tokens': 10,
    })
    expect(named('execute_tool web_search')).toHaveLength(2)
    for (const span of named('execute_tool web_search')) expect(span.status.code ?? 0).toBe(0)
    for (const span of named('execute_tool fetch_page')) {
      expect(span.status.code).toBe(2)
      expect(span.attributes).toMatchObject({ 'gen_ai.tool.name': 'fetch_page' })
      expect(span.attributes['error.type']).toEqual(expect.any(String))
    }
  })

  it('have the times of the events in the trace', async () => {
    const [attempt] = run.attempts
    const text = await readFile(join(run.out, 'traces', `${attempt!.attemptId}.jsonl`), 'utf8')
    const events = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as TraceEvent)
    const at = (type: string): number => Date.parse(events.find(event => event.type === type)!.at)
    const mine = collector.spans.filter(
      span => span.attributes['gen_ai.conversation.id'] === attempt!.attemptId,
    )
    const chat = mine.find(span => span.name.startsWith('chat '))!
    const root = mine.find(span => span.name.startsWith('invoke_agent '))!
    expect(chat.startMs).toBe(at('model-called'))
    expect(chat.endMs).toBe(at('model-answered'))
    expect(root.endMs).toBe(at('terminated'))
  })

  it('contain no text of prompts, answers, arguments or results', () => {
    const sent = collector.text()
    for (const words of ['words of the answer', 'nobody may see', 'nowhere.invalid', 'Assess the growth'])
      expect(sent).not.toContain(words)
  })
})

describe('a run with spans', () => {
  it('marks an attempt that its provider ended, and the failed call, as failed', async () => {
    const collector = await startCollector()
    const turns = [{ error: { status: 401 } }]
    await runWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, ['offline'], [{ turns }])
    await collector.close()
    expect(collector.spans.map(span => [span.name.split(' ')[0], span.status.code]).sort()).toEqual([
      ['chat', 2],
      ['chat', 2],
      ['invoke_agent', 2],
      ['invoke_agent', 2],
    ])
    const root = collector.spans.find(span => span.name.startsWith('invoke_agent'))!
    expect(root.attributes).toMatchObject({ 'error.type': 'auth', 'tablehunt.termination.cause': 'provider' })
  })

  it('finishes without a collector, reports that once, and waits for seconds at most', async () => {
    const closed = await startCollector()
    await closed.close()
    const { left, notices, tookMs } = await runWith({ OTEL_EXPORTER_OTLP_ENDPOINT: closed.url }, ['offline'])
    expect(left).toBe(0)
    expect(notices).toEqual([expect.stringMatching(/ECONNREFUSED.*continues/)])
    expect(tookMs).toBeLessThan(15_000)
  })

  it('does not wait for a collector that accepts connections and never answers', async () => {
    const silent = await startSilentServer()
    const { left, notices, tookMs } = await runWith({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url }, ['offline'])
    await silent.close()
    expect(left).toBe(0)
    expect(notices).toHaveLength(1)
    expect(tookMs).toBeLessThan(15_000)
  })

  it('creates no spans without an endpoint, and reports an invalid address', async () => {
    const told: string[] = []
    const open = (env: NodeJS.ProcessEnv) =>
      openSpans({ env, clock: systemClock, tell: line => told.push(line) })
    expect(await open({})).toBe(noSpans)
    expect(await open({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBe(noSpans)
    expect(await open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' })).toBe(
      noSpans,
    )
    expect(told).toEqual([])
    expect(await open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toBe(noSpans)
    expect(told).toEqual([expect.stringContaining('is not an http(s) URL')])
  })
})
