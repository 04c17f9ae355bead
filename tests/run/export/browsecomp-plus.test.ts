import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TraceEvent } from '../../../logs/events.ts'
import { readBrowseCompPlus } from '../../../logs/import/browsecomp-plus.ts'
import type { AttemptEnd } from '../../../src/core/termination.ts'
import { createRunFile, writeRunFiles } from '../../../src/run/export/browsecomp-plus.ts'
import type { ExportedAttempt } from '../../../src/run/export/table.ts'
import { sampleAttempt } from '../../../src/testing/scorer.ts'

const hit = (url: string) => ({ url, title: 'T', snippet: 'S', position: 1 })
const asked = { type: 'model-called', messages: [], tools: [], reservedTokens: 0, maxOutputTokens: null }
const said = (text: string, reasoning: string | null, calls: number) => ({
  ...{
    type: 'model-answered',
    text: { text },
    malformedCalls: [],
    finishReason: 'stop',
    usage: null,
    wallMs: 1,
  },
  reasoning: reasoning === null ? null : { text: reasoning },
  toolCalls: Array.from({ length: calls }, () => ({ id: 'c1', name: 'web_search', args: {} })),
})
const answer = 'Exact Answer: Pelting\nConfidence: 80%'
const events = [
  asked,
  said('', 'I need the town.', 1),
  { type: 'tool-called', callId: 'c1', tool: 'web_search', args: { query: 'lighthouse school' } },
  {
    ...{
      type: 'tool-answered',
      callId: 'c1',
      tool: 'web_search',
      text: { text: 'results' },
      truncated: false,
    },
    observations: [
      {
        ...{ kind: 'hits', query: 'lighthouse school' },
        hits: [hit('101'), hit('https://elsewhere.example/a'), hit('7')],
      },
    ],
    wallMs: 1,
  },
  asked,
  said(answer, null, 0),
].map((event, seq) => ({ ...event, seq, step: 1, at: '2026-01-01T00:00:00Z' })) as unknown as TraceEvent[]

const attemptOf = (end: AttemptEnd) => {
  const attempt = sampleAttempt(end, {
    ...{ taskId: '1', setting: 'online', benchmark: 'browsecomp-plus' },
    answer: { csv: null, rows: null, columns: null, parseStatus: 'text', parseNote: null, text: answer },
  })
  return { ...attempt, usage: { ...attempt.usage, inputTokens: 900, outputTokens: 100 } }
}
const completed: AttemptEnd = { cause: 'agent', reason: 'answered' }

it('writes the fields of a run file, with the ids of the documents that searches returned', () => {
  expect(createRunFile({ attempt: attemptOf(completed), events, blob: () => null })).toEqual({
    metadata: { model: 'm' },
    query_id: '1',
    tool_call_counts: { web_search: 1 },
    usage: {
      ...{ input_tokens: 900, input_tokens_cached: 0, output_tokens: 100 },
      ...{ included_reasoning_tokens: 0, total_tokens: 1000 },
    },
    status: 'completed',
    retrieved_docids: ['101', '7'],
    result: [
      { type: 'reasoning', tool_name: null, arguments: null, output: ['I need the town.'] },
      {
        ...{ type: 'tool_call', tool_name: 'web_search', output: 'results' },
        arguments: '{"query":"lighthouse school"}',
      },
      { type: 'output_text', tool_name: null, arguments: null, output: answer },
    ],
  })
})

it('writes ends that are not completed so that an import reads them again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-run-files-'))
  const ends: AttemptEnd[] = [
    completed,
    { cause: 'budget', reason: 'tokens' },
    { cause: 'provider', reason: 'timeout' },
  ]
  for (const [at, end] of ends.entries()) {
    const file = join(folder, `run_${at}.json`)
    await writeFile(
      file,
      JSON.stringify(createRunFile({ attempt: attemptOf(end), events, blob: () => null })),
    )
    for await (const record of readBrowseCompPlus(file))
      expect(record).toMatchObject({
        attempt: {
          ...{ taskId: '1', model: 'm', answerText: answer, end },
          usage: { inputTokens: 900, searchCalls: 1 },
        },
      })
  }
})

it('writes the answer alone without a trace, and one folder for each arm and trial', async () => {
  const to = await mkdtemp(join(tmpdir(), 'tablehunt-run-files-'))
  async function* attempts(): AsyncGenerator<ExportedAttempt> {
    for (const trial of [0, 1])
      yield {
        ...{ run: { name: 'first' }, arm: 'online m', events: null, blob: () => null },
        attempt: { ...attemptOf(completed), trial },
      } as unknown as ExportedAttempt
  }
  const { files, notices } = await writeRunFiles(attempts(), to)
  expect((await readdir(to)).sort()).toEqual(['first-online-m-trial-0', 'first-online-m-trial-1'])
  expect(files.map(({ rows }) => rows)).toEqual([1, 1])
  expect(notices).toHaveLength(2)
  const written = JSON.parse(await readFile(join(to, 'first-online-m-trial-0', 'run_1.json'), 'utf8'))
  expect(written.result).toMatchObject([{ type: 'output_text', output: answer }])
})

it('writes no two attempts to one file, and no two arms to one folder', async () => {
  const to = await mkdtemp(join(tmpdir(), 'tablehunt-run-files-'))
  async function* attempts(): AsyncGenerator<ExportedAttempt> {
    const groups = [
      ['a-b', 'c'],
      ['a', 'b-c'],
      ['a', '中文'],
      ['a', '中 文'],
    ]
    for (const [name, arm] of groups)
      for (const taskId of ['表/一', '表 一', '表一'])
        yield {
          ...{ run: { name }, arm, events: null, blob: () => null },
          attempt: { ...attemptOf(completed), taskId },
        } as unknown as ExportedAttempt
  }
  const { files } = await writeRunFiles(attempts(), to)
  expect(files.map(({ rows }) => rows)).toEqual([3, 3, 3, 3])
  const folders = ['a-b-c-trial-0', 'a-b-c-trial-0-2', 'a-中-文-trial-0', 'a-中文-trial-0']
  expect((await readdir(to)).sort()).toEqual(folders.sort())
  for (const folder of folders)
    expect((await readdir(join(to, folder))).sort()).toEqual(
      ['run_表-一-2.json', 'run_表-一.json', 'run_表一.json'].sort(),
    )
})

it('says how many addresses of search results have no document id', async () => {
  const to = await mkdtemp(join(tmpdir(), 'tablehunt-run-files-'))
  async function* attempts(): AsyncGenerator<ExportedAttempt> {
    const given = { run: { name: 'first' }, arm: 'online', events, blob: () => null }
    yield { ...given, attempt: attemptOf(completed) } as unknown as ExportedAttempt
  }
  const { notices } = await writeRunFiles(attempts(), to)
  expect(notices).toEqual([expect.stringMatching(/^1 addresses of search results have no document id/)])
})
