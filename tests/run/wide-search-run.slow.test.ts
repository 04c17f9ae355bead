import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Report } from '../../src/report/model/report.ts'
import { wideDemoPaths } from '../../tasks/demo/demo.ts'
import { tablehunt } from '../cli/cli.ts'

const usage = { inputTokens: 1000, outputTokens: 100 }
const tableOf = (...rows: readonly string[]): string =>
  `\`\`\`markdown\n${['Lighthouse | Island | First lit | Height (m)', '---|---|---|---', ...rows]
    .map(row => `| ${row} |`)
    .join('\n')}\n\`\`\``
const search = (query: string) => ({
  toolCalls: [{ name: 'web_search', args: { queries: [query] } }],
  usage,
})
const script = [
  {
    setting: 'online',
    turns: [
      search('lighthouses of the Varrow Isles'),
      search('lighthouse of Fenholm'),
      // One of eight rows is right, and a second one but for its year.
      { text: tableOf('Skerry Point | Ardmoor | 1871 | 31', 'Old Bell | Tessay | 1850 | 19'), usage },
    ],
  },
  { setting: 'closed-book', turns: [{ text: 'I do not know these lighthouses.', usage }] },
]

describe("a task in WideSearch's form with a scripted agent on a web of made-up pages", () => {
  let folder: string
  let report: Report
  let printed: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-wide-run-'))
    const at = (name: string): string => join(folder, name)
    await writeFile(at('script.jsonl'), script.map(line => `${JSON.stringify(line)}\n`).join(''))
    await writeFile(
      at('prices.json'),
      JSON.stringify({ 'scripted:script.jsonl': { input: 1, cachedInput: 1, output: 10 } }),
    )
    const options = [
      '--benchmark',
      'widesearch',
      '--tasks',
      wideDemoPaths.tasks,
      '--docs',
      wideDemoPaths.pages,
    ]
    const model = ['--model', `scripted:${at('script.jsonl')}`, '--prices', at('prices.json')]
    const run = ['run', ...options, ...model, '--web', 'sealed', '--twins', '0', '--trials', '2']
    const { code, stderr } = await tablehunt([...run, '--out', at('run'), '--cache', at('cache')])
    expect(code, stderr).toBe(0)
    report = JSON.parse((await tablehunt(['report', at('run'), '--json'])).stdout)
    printed = (await tablehunt(['report', at('run'), '--full'])).stdout
  })
  afterAll(async () => await rm(folder, { recursive: true, force: true }))

  it('reports item F1 of both settings, and no discovery', () => {
    const groups = report.groups.filter(({ domain }) => domain === 'all')
    expect(groups.map(({ setting, scored }) => [setting, scored])).toEqual([
      ['closed-book', 2],
      ['online', 2],
    ])
    const [closed, online] = groups
    expect(closed!.metrics.itemF1!.mean).toBe(0)
    // 7 of the answer's 8 cells and of the gold's 32 are right.
    expect(online!.metrics.itemF1!.mean).toBeCloseTo((2 * 7) / (8 + 32), 12)
    expect(online!.metrics.rowF1!.mean).toBeCloseTo((2 * 1) / (2 + 8), 12)
    expect(online!.discoveryRecall).toBeNull()
  })

  it('reports why the attempts ended and what they cost', () => {
    expect(report.terminations.map(({ setting, cause, reason, n }) => [setting, cause, reason, n])).toEqual([
      ['closed-book', 'agent', 'answered-without-table', 2],
      ['online', 'agent', 'answered', 2],
    ])
    const online = report.groups.find(group => group.setting === 'online')!
    expect(online).toMatchObject({ modelCalls: 3, searchCalls: 2 })
    expect(online.usd).toBeCloseTo((3 * (1000 * 1 + 100 * 10)) / 1e6, 12)
    expect(printed).toMatch(/online +agent +answered +2 /)
  })

  it('reports Avg@2, Max@2, Min@2 and Pass@2', () => {
    expect(printed).toMatch(/online +Item F1 +1 +2 +35\.0 +35\.0 +35\.0 +0\.0/)
  })
})
