import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'
import { tablehunt } from '../cli/cli.ts'
import { completion, send, startOpenAiServer } from '../models/openai-server.ts'
import {
  type PaperNumber,
  type PaperNumbers,
  readLines,
  recomputeFigure5,
  recomputeFigure7,
  recomputeTables,
} from './recompute-paper.ts'

const demo = join(packageRoot, 'tasks', 'demo')
const settings = ['offline', 'rag', 'online']

interface DemoTask {
  readonly record_id: string
  readonly answers: readonly Readonly<Record<string, unknown>>[]
}

/** The gold as CSV, with every `step`-th value wrong and the last rows missing. */
function answerOf({ answers }: DemoTask, step: number, missingRows: number): string {
  const columns = Object.keys(answers[0]!)
  const field = (value: unknown): string =>
    `"${String(typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? '')).replaceAll('"', '""')}"`
  let count = 0
  const rows = answers.slice(0, Math.max(1, answers.length - missingRows)).map(row =>
    columns.map((column, at) => {
      count++
      // The first two columns may be keys.
      return at > 1 && count % step === 0 ? field('999') : field(row[column])
    }),
  )
  const lines = [columns.map(field), ...rows].map(row => row.join(','))
  return `\`\`\`csv\n${lines.join('\n')}\n\`\`\``
}

/** A model that is worse in some settings and tasks. `skill` is its number, from 0. */
function scriptOf(tasks: readonly DemoTask[], skill: number): string {
  const lines = tasks.flatMap((task, at) =>
    settings.map((setting, place) => {
      const answer = { text: answerOf(task, 3 + ((skill + at + place) % 5), (skill + at * place) % 3) }
      const search = { toolCalls: [{ name: 'web_search', args: { queries: [`annual report ${at}`] } }] }
      const key = { taskId: task.record_id, setting }
      if (setting === 'offline' && skill === 1 && at === 2)
        return { ...key, turns: [{ error: 'content-filter' }] }
      if ((at + place + skill) % 5 === 4) return { ...key, turns: [{ text: 'I found no table.' }] }
      if (setting !== 'online') return { ...key, turns: [answer] }
      return { ...key, turns: at % 3 === skill ? [search] : [search, answer] }
    }),
  )
  return `${lines.map(line => JSON.stringify(line)).join('\n')}\n`
}

/** Reads a CSV of `compare --csv`. No field of these tables contains a quoted line break. */
async function readCsv(file: string): Promise<Record<string, string>[]> {
  const [header = '', ...lines] = (await readFile(file, 'utf8')).trim().split('\n')
  const fieldsOf = (line: string): string[] =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
      // An apostrophe keeps spreadsheets from reading a field as a formula.
      (quoted?.replaceAll('""', '"') ?? plain ?? '').replace(/^'(?=[=+\-@])/, ''),
    )
  const names = fieldsOf(header)
  return lines.map(line => Object.fromEntries(fieldsOf(line).map((field, at) => [names[at]!, field])))
}

/** A judge that changes its mind: the same question gets another score each time. */
const startJudge = () =>
  startOpenAiServer((request, response, at) => {
    const prompt = String((request.body.messages as { content: unknown }[])[0]?.content)
    const points = 40 + ((at * 17) % 50)
    const whole = [1, 2, 3, 4].map(place => `<score${place}>${points + place}</score${place}>`).join('')
    const text = prompt.includes('<score1>') ? whole : `<score>${points / 100}</score>`
    send(response, 200, completion({ content: text }))
  })

/** The labels of the metrics, which name the columns. */
const labels: Readonly<Record<string, string>> = {
  'LLM score': 'Overall',
  'pass rate': 'answered',
  'row F1': 'Row F1',
  'cell F1': 'Cell F1',
}

const isNumber = (column: string): boolean =>
  Object.values(labels).some(label => column.endsWith(` ${label}`))

const keyOf = ({
  model,
  row,
  domain,
  metric,
}: Pick<PaperNumber, 'model' | 'row' | 'domain' | 'metric'>): string =>
  [model, row, domain, metric].join(' | ')

describe("the paper's tables and figures, recomputed from the records of a campaign", () => {
  let folder: string
  let run: string
  let expected: Readonly<Record<'rules' | 'model', PaperNumbers>>
  let judge: Awaited<ReturnType<typeof startJudge>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-paper-'))
    run = join(folder, 'run')
    const text = await readFile(join(demo, 'tasks.jsonl'), 'utf8')
    const tasks = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as DemoTask)
    const models = await Promise.all(
      [0, 1, 2].map(async skill => {
        const file = join(folder, `model-${skill}.jsonl`)
        await writeFile(file, scriptOf(tasks, skill))
        return ['--model', `scripted:${file}`]
      }),
    )
    const made = await tablehunt([
      ...['run', '--tasks', join(demo, 'tasks.jsonl'), '--docs', join(demo, 'documents'), '--out', run],
      ...['--web', 'sealed', '--setting', settings.join(','), '--trials', '2', '--cot', 'on,off'],
      ...['--scorer', 'aoe', '--budget-model-calls', '4', ...models.flat()],
    ])
    expect(made.stderr).not.toContain('tablehunt: ')
    judge = await startJudge()
    const scoring = [
      '--judge',
      `openai:judge@${judge.url}`,
      '--repeat',
      '2',
      '--cache',
      join(folder, 'cache'),
    ]
    const scored = await tablehunt(['score', run, '--scorer', 'aoe', ...scoring])
    expect(scored.code, scored.stderr).toBe(0)
    const compared = await tablehunt(['compare', run, '--csv', join(folder, 'csv'), '--json'])
    expect(compared.code, compared.stderr).toBe(0)
    expected = {
      rules: recomputeTables(await readLines(run, 'rules')),
      model: recomputeTables(await readLines(run, 'openai:judge')),
    }
  })

  afterAll(async () => {
    await judge.close()
    await rm(folder, { recursive: true, force: true })
  })

  const tables = ['table3', 'table6', 'table7', 'table8', 'table9'] as const
  it.each(
    tables.flatMap(table => [
      { table, judge: 'rules', file: `${table}.csv` } as const,
      { table, judge: 'model', file: `${table}-2.csv` } as const,
    ]),
  )('$table, judge $judge', async ({ table, judge: name, file }) => {
    const rows = await readCsv(join(folder, 'csv', file))
    const wanted = expected[name][table].filter(({ value }) => value !== null && !Number.isNaN(value))
    const ratings = wanted.filter(({ metric }) => metric === 'LLM score')
    // Without a language model as judge there is no LLM score.
    expect(ratings.length > 0).toBe(name === 'model' && !['table7', 'table9'].includes(table))
    const numbers = rows.flatMap(row =>
      Object.entries(row).filter(([column, value]) => isNumber(column) && value !== ''),
    )
    expect(numbers).toHaveLength(wanted.length)
    for (const one of wanted) {
      const row = rows.find(({ model, setting }) => model === one.model && setting === one.row)!
      const column = `${one.domain === 'allByDomain' ? 'mean' : one.domain} ${labels[one.metric]}`
      expect(Number(row[column]), keyOf(one)).toBeCloseTo(one.value!, 9)
      expect(row[`${column} change`] ?? '', keyOf(one)).toBe(one.arrow)
    }
  })

  it('Figure 4: the mean Row F1 of the models, by setting and domain', () => {
    const means = expected.rules.table7.filter(
      ({ model, metric }) => model === 'mean of 3 models' && metric === 'row F1',
    )
    expect(new Set(means.map(({ row }) => row))).toContain('offline')
    expect(new Set(means.map(({ row }) => row))).toContain('online')
  })

  it('Figure 5: why attempts ended, completed and failed ones apart, for each arm', async () => {
    const { stdout } = await tablehunt(['report', run, '--json'])
    const { ends } = JSON.parse(stdout) as { ends: Record<string, unknown>[] }
    const counts = recomputeFigure5(await readLines(run, 'rules'))
    expect(ends).toHaveLength(counts.length)
    expect(ends).toEqual(expect.arrayContaining(counts.map(one => expect.objectContaining(one))))
    expect(counts.some(({ cause, failed }) => cause === 'budget' && failed > 0)).toBe(true)
  })

  it('Figure 7: the correlation of repeated scorings', async () => {
    const { stdout } = await tablehunt(['report', run, '--json'])
    const { stability } = JSON.parse(stdout) as { stability: { metric: string; pearson: number | null }[] }
    const correlations = await recomputeFigure7(run)
    expect(stability.map(({ metric }) => metric).sort()).toEqual([...correlations.keys()].sort())
    for (const { metric, pearson } of stability) {
      const own = correlations.get(metric)!
      if (pearson === null) expect(own, metric).toBeNull()
      else expect(own, metric).toBeCloseTo(pearson, 9)
    }
  })
})
