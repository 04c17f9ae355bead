import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { makeAttemptPage } from '../../src/report/html/attempt-page.ts'
import { writeTableCsv } from '../../src/report/tables/table-formats.ts'
import { renderTerminal } from '../../src/report/tables/terminal.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { readReport } from '../../src/run/report-run.ts'
import { scoreRun } from '../../src/run/scores/score-run.ts'
import { executeRun } from '../../src/run.ts'
import { smallPdf } from '../retrieval/small-pdf.ts'

const schema = {
  type: 'object',
  properties: {
    bank: { type: 'string', evaluation_config: 'string_exact' },
    amount: { type: 'number' },
    lenders: { type: 'array', items: { type: 'string' } },
    agent: { type: 'string', nullable: true },
  },
  required: ['bank', 'amount'],
}
const gold = { bank: 'Harbor Bank', amount: 1250000, lenders: ['Amber Ltd', 'Cedar Ltd'], agent: null }
const answers: Readonly<Record<string, string>> = {
  offline: `Read.\n\`\`\`json\n${JSON.stringify(gold)}\n\`\`\``,
  rag: '```json\n{"bank": "Harbor Bank", "amount": 7, "lenders": ["Amber Ltd"], "agent": "Delta",}\n```',
  online: '```json\n{"bank": "Harbour", "amount": 1250000, "lenders": [], "agent": null}\n```',
}

let folder = ''
const out = (): string => join(folder, 'run')
const options = () => ({
  benchmark: 'extract-bench',
  tasks: join(folder, 'tasks'),
  docs: join(folder, 'docs'),
  web: 'sealed',
  browser: 'off',
  vectorStore: 'exact',
  cache: join(folder, 'cache'),
  model: `scripted:${join(folder, 'script.jsonl')}`,
  out: out(),
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-extract-run-'))
  await mkdir(join(folder, 'tasks', 'finance', 'loans'), { recursive: true })
  await mkdir(join(folder, 'docs'))
  const write = (name: string, data: string | Buffer) => writeFile(join(folder, name), data)
  await write('tasks/finance/loans/loans-schema.json', JSON.stringify({ schema_definition: schema }))
  await write('tasks/finance/loans/harbor.gold.json', JSON.stringify(gold))
  const lines = ['Loan agreement of Harbor Bank', 'Amount: $1,250,000', 'Lenders: Amber Ltd, Cedar Ltd']
  await write('tasks/finance/rates.csv', 'rate\n1\n2\n')
  await write('docs/harbor.pdf', smallPdf([lines.map((text, at) => ({ x: 72, y: 700 - 20 * at, text }))]))
  const script = Object.entries(answers).map(([setting, text]) =>
    JSON.stringify({ setting, turns: [{ text }] }),
  )
  await write('script.jsonl', script.join('\n'))
  await executeRun(resolveConfig(options()))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a run of --benchmark extract-bench', () => {
  it('stores the JSON answers of each setting and scores them by the schema', async () => {
    const { attempts, scores } = await readRun(out())
    expect(attempts.map(({ setting, answer }) => [setting, answer.parseStatus, answer.json])).toEqual([
      ['offline', 'json', gold],
      ['rag', 'unreadable', undefined],
      ['online', 'json', { bank: 'Harbour', amount: 1250000, lenders: [], agent: null }],
    ])
    expect(attempts.map(attempt => attempt.termination.reason)).toEqual([
      'answered',
      'answered-without-table',
      'answered',
    ])
    expect(scores.map(score => [score.scorer, score.status, score.answered])).toEqual([
      ['extract-bench', 'scored', true],
      ['extract-bench', 'scored', false],
      ['extract-bench', 'scored', true],
    ])
    expect(scores.map(score => score.extract?.failure)).toEqual([null, 'trailing-comma', null])
    expect(scores.map(score => score.counts.passedNodes)).toEqual([4, 0, 2])
    expect(scores.map(score => score.counts.nodes)).toEqual([4, 4, 4])
    expect(scores[2]?.extract?.nodes.find(node => node.path === '$.properties.lenders')).toMatchObject({
      passed: false,
      presence: 'extracted_empty_array',
    })
  })

  it('shows the model schema and document offline, schema and file name online, and never the scoring settings', async () => {
    const { attempts } = await readRun(out())
    const trace = async (setting: string): Promise<string> => {
      const id = attempts.find(attempt => attempt.setting === setting)!.attemptId
      return await readFile(join(out(), 'traces', `${id}.jsonl`), 'utf8')
    }
    const [offline, online] = [await trace('offline'), await trace('online')]
    for (const text of [offline, online]) {
      expect(text).toContain('# Schema')
      expect(text).toContain('\\"lenders\\"')
      expect(text).toContain('harbor.pdf')
      expect(text).not.toContain('evaluation_config')
      expect(text).not.toContain('string_exact')
    }
    expect(offline).toContain('1,250,000')
    expect(online.split('"type":"model-answered"')[0]).not.toContain('1,250,000')
  })

  it('measures retrieval and discovery by the values of the gold JSON', async () => {
    const { attempts } = await readRun(out())
    const rag = attempts.find(attempt => attempt.setting === 'rag')!
    expect(rag.retrieval).toMatchObject({ cellsFindable: 4, cellsUnfindable: 1, evidenceInPrompt: 1 })
    expect(attempts.find(attempt => attempt.setting === 'online')!.discovery?.recall.opened).toBe(0)
  })

  it('is reported by schema in the layout of Tables 5 and 7, without rows and cells', async () => {
    const { report, records } = await readReport(out())
    const [header = '', ...lines] = report.benchmarkTables.flatMap(table =>
      table.title.startsWith('Extraction') ? writeTableCsv(table).trim().split('\n') : [],
    )
    const names = header.split(',')
    const rowsOf = (setting: string) =>
      lines
        .map(line => Object.fromEntries(line.split(',').map((field, at) => [names[at], field])))
        .filter(row => row.setting === setting)
    expect(rowsOf('offline')).toMatchObject([
      { schema: 'loans', answered: '1', pass: '1', keys: '4' },
      { schema: 'all', answered: '1', pass: '1', keys: '4' },
    ])
    expect(rowsOf('rag').at(-1)).toMatchObject({ answered: '0', fields: '4' })
    expect(rowsOf('online').at(-1)).toMatchObject({
      ...{ omitted: '1', wrong: '1', invented: '0', 'acc (answered)': '0.5' },
      ...{ 'items matched': '0', 'items missed': '2' },
    })
    const text = renderTerminal(report, { columns: 120 })
    expect(text).toContain('Extraction by schema (scorer extract-bench, judge rules)')
    expect(text).toContain('Invalid output by failure')
    expect(text).not.toContain('Cell F1')
    const { attempts, scores: all } = await readRun(out())
    const scored = attempts.find(({ attemptId }) =>
      all.some(score => score.attemptId === attemptId && score.extract),
    )!
    const scores = all.filter(({ attemptId }) => attemptId === scored.attemptId)
    const page = await makeAttemptPage({ attempt: scored, scores, scorers: report.scorers }, null, null)
    expect(JSON.stringify(page.scorings)).toContain('$.properties.lenders')
    expect(records.scores.every(score => score.extract?.nodes.length === 0)).toBe(true)
  })

  it('can be scored again, but only by its own scoring', async () => {
    const config = { ...resolveConfig(options()), judge: 'none' }
    const common = { config, repeats: 1, signal: new AbortController().signal }
    const { scores } = await scoreRun(out(), common)
    expect(scores).toBe(3)
    const again = (await readRun(out())).scores.filter(score => score.judge === 'none')
    expect(again.map(score => score.counts.passedNodes)).toEqual([4, 0, 2])
    const wrong = { ...common, config: { ...config, scorer: ['strict'] } }
    await expect(scoreRun(out(), wrong)).rejects.toMatchObject({ code: 'wrong-scorer' })
    await expect(executeRun(resolveConfig({ ...options(), scorer: 'strict' }))).rejects.toMatchObject({
      code: 'wrong-scorer',
    })
  })

  it("records every input file of the tasks, relative to --tasks, and the converter's version", async () => {
    const { manifest } = await readRun(out())
    expect(manifest).toMatchObject({ source: 'run', recordVersion: 3 })
    if (manifest.source !== 'run') throw new Error('not a run')
    expect(Object.keys(manifest.inputs ?? {})).toEqual([
      'finance/loans/harbor.gold.json',
      'finance/loans/loans-schema.json',
    ])
    expect(Object.keys(manifest.programs ?? {})).toEqual(['node', 'tesseract', 'browser'])
    const environment = manifest.identity.environment as Record<string, unknown>
    expect(Object.keys(environment)).toEqual(['documentText', 'ocr', 'browser', 'files'])
    expect(environment.browser).toBeNull()
  })

  it('cannot be scored again when an answer is missing or the tasks have changed', async () => {
    const { attempts } = await readRun(out())
    const config = resolveConfig(options())
    const again = () => scoreRun(out(), { config, repeats: 1, signal: new AbortController().signal })
    const answer = join(out(), 'answers', `${attempts[0]!.attemptId}.txt`)
    const kept = await readFile(answer)
    await rm(answer)
    await expect(again()).rejects.toMatchObject({ code: 'damaged-file' })
    await writeFile(answer, kept)
    const goldFile = join(folder, 'tasks', 'finance', 'loans', 'harbor.gold.json')
    await writeFile(goldFile, '{}')
    const changed = expect.stringContaining('finance/loans/harbor.gold.json has changed')
    await expect(again()).rejects.toMatchObject({ code: 'tasks-changed', message: changed })
    await expect(executeRun(resolveConfig(options()))).rejects.toMatchObject({
      code: 'different-run',
      message: changed,
    })
  })
})
