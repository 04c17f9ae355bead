import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * Recomputes the numbers of the AOE paper's Tables 3 and 6 to 9 and Figures 4, 5 and 7 from the records of a run. It reads
 * JSON Lines and computes everything on its own: it imports nothing of the program, whose tables it checks.
 */

interface AttemptLine {
  readonly attemptId: string
  readonly taskId: string
  readonly domain: string
  readonly setting: string
  readonly options: Readonly<Record<string, string>>
  /** The options as text: `cot=off`. */
  readonly variant: string
  readonly model: string
  readonly termination: { readonly cause: string; readonly reason: string }
}

type AttemptRecord = Omit<AttemptLine, 'variant'>

interface ScoreLine {
  readonly attemptId: string
  readonly judge: string
  /** A judge's rating of the whole answer, 0 to 100. Null without a language model as judge. */
  readonly overall: { readonly mean: number } | null
  readonly status: string
  readonly answered: boolean
  readonly metrics: Readonly<Record<string, number | null>>
}

interface Line {
  readonly attempt: AttemptLine
  readonly score: ScoreLine
}

/** A number of a table, as its CSV names it. */
export interface PaperNumber {
  readonly model: string
  readonly row: string
  readonly domain: string
  readonly metric: string
  readonly value: number | null
  readonly arrow: string
}

async function jsonLines<T>(folder: string, name: string): Promise<T[]> {
  const text = await readFile(join(folder, name), 'utf8')
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as T)
}

/** Reads a run's attempts with their scores by one judge. */
export async function readLines(folder: string, judge: string): Promise<Line[]> {
  const scores = new Map<string, ScoreLine>()
  for (const score of await jsonLines<ScoreLine>(folder, 'scores.jsonl'))
    if (score.judge === judge) scores.set(score.attemptId, score)
  const attempts = await jsonLines<AttemptRecord>(folder, 'attempts.jsonl')
  return attempts.map(attempt => {
    const variant = Object.entries(attempt.options)
      .map(([name, value]) => `${name}=${value}`)
      .join(',')
    return { attempt: { ...attempt, variant }, score: scores.get(attempt.attemptId)! }
  })
}

const average = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length

function grouped<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item])
  return groups
}

const metricNames = { 'row F1': 'rowF1', 'cell F1': 'cellF1' } as const
type MetricName = 'LLM score' | 'pass rate' | keyof typeof metricNames

function metricOf({ score }: Line, metric: MetricName): number | null {
  if (score.status !== 'scored') return null
  if (metric === 'pass rate') return Number(score.answered)
  if (metric === 'LLM score') return score.overall === null ? null : score.overall.mean / 100
  return score.metrics[metricNames[metric]] ?? null
}

/** The mean of the trials of each task with a score, in percent. */
function taskMeans(lines: readonly Line[], metric: MetricName): Map<string, number> {
  const tasks = grouped(
    lines.filter(line => metricOf(line, metric) !== null),
    line => line.attempt.taskId,
  )
  return new Map(
    [...tasks].map(([task, own]) => [task, 100 * average(own.map(line => metricOf(line, metric)!))]),
  )
}

/** The mean of each domain over its tasks, and `allByDomain`, the mean of these means. */
function domainMeans(lines: readonly Line[], metric: MetricName): Map<string, number> {
  const means = new Map<string, number>()
  for (const [domain, own] of grouped(lines, line => line.attempt.domain)) {
    const tasks = [...taskMeans(own, metric).values()]
    if (tasks.length > 0) means.set(domain, average(tasks))
  }
  means.set('allByDomain', average([...means.values()]))
  return means
}

/** The mean change over the tasks with a score on both sides: for each domain, and the mean of the domains' changes. */
function domainChanges(
  after: readonly Line[],
  before: readonly Line[],
  metric: MetricName,
): Map<string, number> {
  const base = taskMeans(before, metric)
  const changes = new Map<string, number>()
  for (const [domain, own] of grouped(after, line => line.attempt.domain)) {
    const both = [...taskMeans(own, metric)].filter(([task]) => base.has(task))
    if (both.length > 0) changes.set(domain, average(both.map(([task, mean]) => mean - base.get(task)!)))
  }
  changes.set('allByDomain', average([...changes.values()]))
  return changes
}

const labelOf = ({ setting, variant }: { setting: string; variant: string }): string =>
  variant === '' ? setting : `${setting} [${variant}]`

interface Arm {
  readonly setting: string
  readonly variant: string
  readonly model: string
  readonly lines: readonly Line[]
}

function armsOf(lines: readonly Line[]): Arm[] {
  const groups = grouped(lines, ({ attempt }) =>
    JSON.stringify([attempt.setting, attempt.variant, attempt.model]),
  )
  return [...groups.values()].map(own => {
    const { setting, variant, model } = own[0]!.attempt
    return { setting, variant, model, lines: own }
  })
}

interface RowToMake {
  readonly model: string
  readonly row: string
  readonly lines: readonly Line[]
  /** The lines of the row that changes are marked against, and how many points a marked change exceeds. */
  readonly base?: readonly Line[]
  readonly above?: number
}

function numbersOf(
  { model, row, lines, base, above = 0 }: RowToMake,
  metrics: readonly MetricName[],
): PaperNumber[] {
  return metrics.flatMap(metric => {
    const changes = base === undefined ? null : domainChanges(lines, base, metric)
    return [...domainMeans(lines, metric)].map(([domain, value]) => {
      const change = changes?.get(domain) ?? 0
      const arrow = Math.abs(change) > above + 1e-9 && changes !== null ? (change > 0 ? '↑' : '↓') : ''
      return { model, row, domain, metric, value, arrow }
    })
  })
}

/** The numbers of a table, in any order. */
export type PaperNumbers = Readonly<
  Record<'table3' | 'table6' | 'table7' | 'table8' | 'table9', PaperNumber[]>
>

export function recomputeTables(lines: readonly Line[]): PaperNumbers {
  const arms = armsOf(lines)
  const head = ['LLM score', 'pass rate', 'cell F1'] as const
  const armRows = (some: readonly Arm[]): RowToMake[] =>
    some.map(arm => ({ model: arm.model, row: labelOf(arm), lines: arm.lines }))
  const table6 = arms
    .filter(arm => arm.setting === 'offline')
    .flatMap((offline): RowToMake[] => {
      const { model, variant } = offline
      const rag = arms.find(arm => arm.setting === 'rag' && arm.model === model && arm.variant === variant)
      if (rag === undefined) return []
      return [
        { model, row: variant === '' ? model : `${model} [${variant}]`, lines: offline.lines },
        { model, row: `+ ${labelOf(rag)}`, lines: rag.lines, base: offline.lines, above: 2 },
      ]
    })
  const table8 = arms
    .filter(arm => arm.variant === 'cot=off')
    .flatMap((off): RowToMake[] => {
      const { model, setting } = off
      const on = arms.find(arm => arm.setting === setting && arm.model === model && arm.variant === '')!
      return [
        { model, row: labelOf(off), lines: off.lines },
        { model, row: `${setting} with chain of thought`, lines: on.lines, base: off.lines },
      ]
    })
  const table9 = arms
    .filter(arm => arm.setting === 'online')
    .flatMap((arm): RowToMake[] => [
      { model: arm.model, row: `${labelOf(arm)}, all`, lines: arm.lines },
      {
        model: arm.model,
        row: `${labelOf(arm)}, answered only`,
        lines: arm.lines.filter(({ score }) => score.status === 'scored' && score.answered),
      },
    ])
  return {
    table3: armRows(arms).flatMap(row => numbersOf(row, head)),
    table6: table6.flatMap(row => numbersOf(row, head)),
    table7: table7Of(armRows(arms.filter(arm => ['offline', 'online'].includes(arm.setting)))),
    table8: table8.flatMap(row => numbersOf(row, head)),
    table9: table9.flatMap(row => numbersOf(row, ['cell F1'])),
  }
}

/** Table 7 and, in its rows of means over the models, Figure 4. */
function table7Of(rows: readonly RowToMake[]): PaperNumber[] {
  const numbers = rows.flatMap(row => numbersOf(row, ['row F1', 'cell F1']))
  const means = [...grouped(numbers, one => JSON.stringify([one.row, one.domain, one.metric])).values()]
  return [
    ...numbers,
    ...means.map(own => ({
      ...own[0]!,
      model: `mean of ${own.length} models`,
      value: average(own.map(one => one.value!)),
    })),
  ]
}

/** One bar of Figure 5: how many attempts of an arm ended for a reason, by outcome. */
export interface OutcomeCount {
  readonly setting: string
  readonly model: string
  readonly options: Readonly<Record<string, string>>
  readonly cause: string
  readonly reason: string
  readonly passed: number
  readonly failed: number
}

export function recomputeFigure5(lines: readonly Line[]): OutcomeCount[] {
  return armsOf(lines).flatMap(({ setting, model, lines: own }) => {
    const reasons = grouped(own, ({ attempt: { termination } }) =>
      JSON.stringify([termination.cause, termination.reason]),
    )
    return [...reasons.values()].map(ended => {
      const { cause, reason } = ended[0]!.attempt.termination
      const passed = ended.filter(({ score }) => score.answered && score.status === 'scored').length
      const { options } = own[0]!.attempt
      return { ...{ setting, model, options, cause, reason }, passed, failed: ended.length - passed }
    })
  })
}

interface RepeatedScores {
  readonly scores: readonly {
    readonly attemptId: string
    readonly repeats: readonly (Readonly<Record<string, number | null>> | null)[]
  }[]
}

/** Figure 7: Pearson's correlation between the first two repeats of a scoring, by metric. Null when it is undefined. */
export async function recomputeFigure7(folder: string): Promise<Map<string, number | null>> {
  const [scoring] = JSON.parse(await readFile(join(folder, 'stability.json'), 'utf8')) as RepeatedScores[]
  const both = scoring!.scores.flatMap(({ repeats: [first, second] }) =>
    first && second ? [{ first, second }] : [],
  )
  return new Map(
    Object.keys(both[0]!.first).map(metric => {
      const pairs = both.flatMap(({ first, second }) => {
        const [x, y] = [first[metric] ?? null, second[metric] ?? null]
        return x === null || y === null ? [] : [{ x, y }]
      })
      return [metric, correlation(pairs)]
    }),
  )
}

function correlation(pairs: readonly { readonly x: number; readonly y: number }[]): number | null {
  if (pairs.length < 2) return null
  const [meanX, meanY] = [average(pairs.map(({ x }) => x)), average(pairs.map(({ y }) => y))]
  const sum = (of: (x: number, y: number) => number) =>
    pairs.reduce((total, { x, y }) => total + of(x - meanX, y - meanY), 0)
  const spread = Math.sqrt(sum(x => x * x) * sum((_, y) => y * y))
  return spread < 1e-12 ? null : sum((x, y) => x * y) / spread
}
