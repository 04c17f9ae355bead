import { isDeepStrictEqual } from 'node:util'
import { UsageError } from './command-line.ts'
import { type Bench, type BenchFigure, describeLine, type FigureLine, targetText } from './figure.ts'
import {
  type Machine,
  type RecordedBench,
  type RecordedRun,
  readRecordedRun,
  recordBench,
  writeRecordedRun,
} from './recorded-run.ts'

/** A bench with its name in the registry. */
export type NamedBench = readonly [name: string, bench: Bench]

/** What `runBenches` runs, and where it writes to. */
export interface RunBenchesOptions {
  readonly benches: readonly NamedBench[]
  /** Measures the figures of a bench. */
  measure(bench: string): Promise<readonly BenchFigure[]>
  readonly machine: Machine
  /** The file of the recorded run; null when nothing is recorded. */
  readonly record: string | null
  /** Whether the benches of the file that are not measured now stay in it. */
  readonly keepsRecorded: boolean
  /** Whether only the benches run that are missing from the file or failed. */
  readonly isResumed: boolean
  /** Whether to print JSON lines instead of a table. */
  readonly isJson: boolean
  readonly print: (text: string) => void
  readonly warn: (text: string) => void
}

/**
 * Runs benches one after the other and prints their figures. A bench that fails does not stop the others.
 *
 * @returns the names of the benches that failed
 */
export async function runBenches(options: RunBenchesOptions): Promise<string[]> {
  const { benches, measure, record, isResumed, isJson, print, warn } = options
  const failed: string[] = []
  let recorded = await recordedBefore(options)
  const left = benches.filter(([name]) => !isResumed || (recorded.benches[name]?.figures ?? null) === null)
  if (left.length === 0) {
    const line = `Nothing is left to run. ${record} has the figures of ${countText(benches.length)}.\n`
    if (isJson) warn(line)
    else print(line)
  }
  for (const [name, bench] of left) {
    const heading = `${name}: ${bench.summary}\n  ${bench.read}\n`
    if (isJson) warn(heading)
    else print(`${heading}\n${header}\n`)
    const result = await recordBench(
      () => measure(name),
      error => {
        failed.push(name)
        warn(`bench: ${name} failed: ${error instanceof Error ? error.message : error}\n`)
      },
    )
    print(formatFigures(name, bench, result, isJson))
    recorded = { ...recorded, benches: { ...recorded.benches, [name]: result } }
    if (record !== null) await writeRecordedRun(record, recorded)
  }
  return failed
}

function countText(benches: number): string {
  return benches === 1 ? 'this bench' : `all ${benches} benches`
}

/** Returns the run that this one completes: an empty one, or the one in the file. */
async function recordedBefore(options: RunBenchesOptions): Promise<RecordedRun> {
  const { record, keepsRecorded, machine } = options
  const before = record === null || !keepsRecorded ? null : await readRecordedRun(record)
  if (before === null) return { machine, benches: {} }
  if (!isDeepStrictEqual(before.machine, machine))
    throw new UsageError(
      `${record} was recorded on another machine or version of Node. Record all benches, without --resume and without names`,
    )
  return before
}

function formatFigures(name: string, bench: Bench, { figures }: RecordedBench, isJson: boolean): string {
  const lines = (figures ?? []).map(figure => describeLine(name, bench, figure))
  if (isJson) return lines.map(line => `${JSON.stringify(line)}\n`).join('')
  return `${lines.map(line => `${writeRow(line)}\n`).join('')}\n`
}

/** The columns of the printed table, with their widths. */
const columns = { figure: 32, value: 22, ratio: 9, target: 18, verdict: 9, against: 0 } as const

function row(cells: Readonly<Record<keyof typeof columns, string>>): string {
  const names = Object.keys(columns) as (keyof typeof columns)[]
  return `  ${names.map(name => `${cells[name].padEnd(columns[name] - 1)} `).join('')}`.trimEnd()
}

const header = row({
  figure: 'figure',
  value: 'value',
  ratio: 'ratio',
  target: 'target',
  verdict: 'verdict',
  against: 'compared with',
})

function writeRow({ figure, value, unit, ratio, target, verdict, against }: FigureLine): string {
  return row({
    figure,
    value: value === null ? '-' : `${value} ${unit}`,
    ratio: ratio === null ? '-' : String(ratio),
    target: targetText(target),
    verdict: verdict ?? '-',
    against,
  })
}
