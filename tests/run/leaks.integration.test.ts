import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTrace } from '../../logs/reader.ts'
import { resolveConfig } from '../../src/config.ts'
import type { TableGold } from '../../src/core/gold.ts'
import { findRevealedGold } from '../../src/evidence/revealed-gold.ts'
import type { Web } from '../../src/run/open-run/web.ts'
import { readLeaks } from '../../src/run/records/leaks.ts'
import { repairRun } from '../../src/run/records/repair.ts'
import { verifyRun } from '../../src/run/records/verify-run.ts'
import { readReport } from '../../src/run/report-run.ts'
import { executeRun } from '../../src/run.ts'
import { listGoldGroups } from '../../tasks/kinds/answer-kinds.ts'
import { createBlockList, parseBlockRule } from '../../tools/web/block-list.ts'

const gold: TableGold = {
  kind: 'table',
  keyColumns: ['Filename'],
  targetColumns: ['Company', 'Revenue', 'Net Income', 'Year'],
  numericColumns: ['Revenue', 'Net Income'],
  rows: [
    {
      Filename: 'elm.txt',
      Company: 'Elm Holdings',
      Revenue: '4,512,137',
      'Net Income': '613,902',
      Year: '2024',
    },
    { Filename: 'fir.txt', Company: 'Fir Works', Revenue: '98,124', 'Net Income': '7,310', Year: '2024' },
  ],
}

describe('the canary', () => {
  it.each([
    ['a line of the answers', 'elm.txt,Elm Holdings,4512137,613902', 1],
    [
      'cells apart and formatted otherwise',
      'ELM holdings … 4 512 137? no: 4,512,137. Later: 613 902, 613,902',
      1,
    ],
    ['both rows', 'Elm Holdings 4512137 613902 / Fir Works 98124 7310', 2],
    ['two cells', 'Elm Holdings made 4,512,137', 0],
    ['the same cell three times', 'Elm Holdings, Elm Holdings, Elm Holdings', 0],
    ['figures inside longer ones', 'Elm Holdings 14,512,137 1,613,902', 0],
    ['nothing', '', 0],
  ])('counts the gold rows in %s', (_what, text, rows) => {
    expect(findRevealedGold(text, listGoldGroups(gold))).toHaveLength(rows)
  })

  it('reports the names of columns, but never values', () => {
    expect(findRevealedGold('elm.txt Elm Holdings 4512137', listGoldGroups(gold))).toEqual([
      { goldRow: 0, columns: ['Filename', 'Company', 'Revenue'] },
    ])
  })

  it('does not count short words or numbers alone as a row', () => {
    const rows = [{ A: 'yes', B: '12', C: '2024', D: 'no' }]
    const groups = listGoldGroups({ ...gold, rows })
    expect(findRevealedGold('yes, in 2024 there were 12 and no more', groups)).toEqual([])
  })

  it('reads the values of a gold JSON document as one row', () => {
    const value = { name: 'Elm Holdings', figures: [4512137, 613902] }
    const json = {
      kind: 'json' as const,
      schemaName: 'figures',
      schema: {},
      value,
      text: JSON.stringify(value),
    }
    expect(findRevealedGold('Elm Holdings: 4,512,137 and 613,902', listGoldGroups(json))).toHaveLength(1)
  })
})

const documents: Record<string, string> = {
  'elm.txt': `Elm Holdings annual report 2024. Elm Holdings reports revenue of 4,512,137 for the year and net income of 613,902 after tax. The company grows trees in eleven districts and sells timber to builders abroad.`,
  'fir.txt': `Fir Works annual report 2024. Fir Works reports revenue of 98,124 and net income of 7,310 for the year. It saws boards for local carpenters and keeps a shop of its own by the river.`,
}
const pages: Record<string, string> = {
  'https://mirror.example/elm': documents['elm.txt']!,
  'https://spoiler.example/answers': 'file,company,revenue\nelm.txt,Elm Holdings,"4,512,137",613902\n',
  'https://other.example/news': 'Elm Holdings opened an office in 2024. Nothing else is known of it so far.',
}

/** A web of those pages; its search gives an excerpt of a document and a result that gives a row away. */
function web(): Web {
  const blockList = createBlockList([parseBlockRule('*tianyumyum/aoe*')])
  const hit = (url: string, snippet: string, position: number) => ({ url, title: 'Elm', snippet, position })
  return {
    transport: {
      name: 'test',
      async send({ url }) {
        blockList.check(url)
        const body = pages[url]
        return {
          status: body === undefined ? 404 : 200,
          headers: { 'content-type': 'text/plain' },
          body: new TextEncoder().encode(body ?? ''),
          finalUrl: url,
        }
      },
    },
    search: {
      name: 'test',
      search: async ({ query }) => ({
        hits: [
          hit('https://mirror.example/elm', documents['elm.txt']!.slice(34, 170), 1),
          ...(query === 'answers'
            ? [hit('https://spoiler.example/row', 'elm.txt, Elm Holdings, 4,512,137, 613,902', 2)]
            : []),
        ],
      }),
    },
    hash: null,
    entries: null,
    notice: 'web: of this test',
    close: async () => undefined,
  }
}

const table =
  '```csv\nFilename,Company,Revenue,Net Income,Year\nelm.txt,Elm Holdings,4512137,613902,2024\n```'

/** Runs one scripted attempt that makes the calls, one a turn, then answers. */
async function attemptWith(calls: readonly { name: string; args: unknown }[], withDocuments = true) {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-leaks-'))
  await mkdir(join(folder, 'docs'))
  for (const [name, text] of Object.entries(documents)) await writeFile(join(folder, 'docs', name), text)
  const record = {
    record_id: 'financial_1_0_en',
    language: 'en',
    domain: 'financial',
    query: 'Compare the companies.',
    input_doc: Object.keys(documents),
    answers: gold.rows,
    key_cols: gold.keyColumns,
    target_value_columns: gold.targetColumns,
    numeric_columns: gold.numericColumns,
  }
  const turns = [...calls.map(call => ({ toolCalls: [call] })), { text: table }]
  await writeFile(join(folder, 'tasks.jsonl'), `${JSON.stringify(record)}\n`)
  await writeFile(join(folder, 'script.jsonl'), `${JSON.stringify({ turns })}\n`)
  const out = join(folder, 'run')
  const config = resolveConfig({
    tasks: join(folder, 'tasks.jsonl'),
    out,
    ...(withDocuments ? { docs: join(folder, 'docs') } : {}),
    setting: 'online',
    model: `scripted:${join(folder, 'script.jsonl')}`,
    browser: 'off',
    cache: join(folder, 'cache'),
  })
  const summary = await executeRun(config, { web: web(), env: {} })
  const attemptId = JSON.parse((await readFile(join(out, 'attempts.jsonl'), 'utf8')).trim()).attemptId
  const { events } = await readTrace(out, attemptId)
  return { out, summary, events, leaks: await readLeaks(out) }
}

const firstLine = async (out: string): Promise<string> =>
  (await readFile(join(out, 'leaks.jsonl'), 'utf8')).split('\n')[0]!.concat('\n')
const fetchPage = (url: string) => ({ name: 'fetch_page', args: { url } })
const search = (query: string) => ({ name: 'web_search', args: { queries: [query] } })

describe('the leak ledger of a run', () => {
  it('stays empty for the documents, their mirrors, their excerpts and other pages', async () => {
    const { leaks, out, summary } = await attemptWith([
      search('elm'),
      fetchPage('https://mirror.example/elm'),
      fetchPage('https://other.example/news'),
    ])
    expect(leaks).toEqual([])
    expect(await readFile(join(out, 'leaks.jsonl'), 'utf8')).toBe('')
    expect(summary.report.groups.map(group => [group.tainted, group.withoutTainted])).toEqual(
      summary.report.groups.map(() => [0, null]),
    )
  })

  it('records a page and a search result that show gold, and a refused source of answers', async () => {
    const { leaks, events, out } = await attemptWith([
      fetchPage('https://spoiler.example/answers'),
      search('answers'),
      fetchPage('https://huggingface.co/datasets/tianyumyum/AOE'),
    ])
    expect(leaks.map(({ step, how, url }) => [step, how, url])).toEqual([
      [1, 'canary', 'https://spoiler.example/answers'],
      [2, 'canary', 'https://spoiler.example/row'],
      [3, 'blocked', 'https://huggingface.co/datasets/tianyumyum/AOE'],
    ])
    expect(events.filter(event => event.type === 'leak-found')).toHaveLength(3)
    const { report } = await readReport(out)
    const all = report.groups.find(group => group.domain === 'all')!
    expect(all).toMatchObject({
      n: 1,
      tainted: 1,
      withoutTainted: { n: 0, metrics: { cellF1: { mean: null } } },
    })
    expect(all.metrics.cellF1?.mean).toBeGreaterThan(0)
    expect(report.notes.join()).toContain('leaks.jsonl')
    for (const kept of [null, '', await firstLine(out)]) {
      const path = join(out, 'leaks.jsonl')
      await (kept === null ? rm(path) : writeFile(path, kept))
      expect(await verifyRun(out)).toMatchObject({ isWhole: false, lostLeaks: [leaks[0]!.attemptId] })
      expect((await repairRun(out)).join()).toContain('restored the leaks of 1 attempts')
      expect(await readLeaks(out)).toEqual(leaks)
      expect(await verifyRun(out)).toMatchObject({ isWhole: true })
    }
  })

  it('is invisible to the agent, whose conversation differs only in the text of the page', async () => {
    const { events } = await attemptWith([fetchPage('https://spoiler.example/answers')])
    const last = events.findLastIndex(event => event.type === 'model-called')
    expect(events.findIndex(event => event.type === 'leak-found')).toBeGreaterThan(last)
    const told = events.filter(event => event.type === 'model-called').flatMap(event => event.messages)
    expect(JSON.stringify(told)).not.toMatch(/leak|canary|gold/i)
  })

  it('without the documents, counts a page with two gold rows as a leak, but not a page of one document', async () => {
    const one = await attemptWith([fetchPage('https://mirror.example/elm')], false)
    expect(one.leaks).toEqual([])
    pages['https://spoiler.example/both'] = 'Elm Holdings,4512137,613902\nFir Works,98124,7310'
    const both = await attemptWith([fetchPage('https://spoiler.example/both')], false)
    expect(both.leaks).toMatchObject([{ how: 'canary', detail: expect.stringContaining('1 more') }])
    expect(JSON.stringify(both.leaks)).not.toContain('4512137')
  })
})
