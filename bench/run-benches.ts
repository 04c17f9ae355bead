import type { BenchCommand } from './command-line.ts'
import { type BenchFigure, describeLine, type FigureLine, targetText } from './figure.ts'
import { type Machine, readRunOnMachine, recordBench, writeRecordedRun } from './recorded-run.ts'

/** Where benches are measured, and who reads their figures. */
export interface BenchPlace {
  /** Measures the figures of a bench. */
  measure(bench: string): Promise<readonly BenchFigure[]>
  readonly machine: Machine
  readonly print: (text: string) => void
  readonly warn: (text: string) => void
}

/**
 * Runs benches one after the other and prints their figures. A bench that fails does not stop the others.
 *
 * @returns the names of the benches that failed
 */
export async function runBenches(command: BenchCommand, place: BenchPlace): Promise<string[]> {
  const { benches, record, keepsRecorded, isResumed, isJson } = command
  const { measure, machine, print, warn } = place
  const tell = isJson ? warn : print
  const isContinued = record !== null && keepsRecorded
  let recorded = isContinued ? await readRunOnMachine(record, machine) : { machine, benches: {} }
  const isMissing = (name: string): boolean => (recorded.benches[name]?.figures ?? null) === null
  const left = benches.filter(([name]) => !isResumed || isMissing(name))
  const count = benches.length === 1 ? 'this bench' : `all ${benches.length} benches`
  if (left.length === 0) tell(`Nothing is left to run. ${record} has the figures of ${count}.\n`)
  const failed: string[] = []
  for (const [name, bench] of left) {
    tell(`${name}: ${bench.summary}\n  ${bench.read}\n${isJson ? '' : `\n${header}\n`}`)
    const result = await recordBench(
      () => measure(name),
      error => {
        failed.push(name)
        warn(`bench: ${name} failed: ${error instanceof Error ? error.message : error}\n`)
      },
    )
    for (const figure of result.figures ?? []) {
      const line = describeLine(name, bench, figure)
      print(`${isJson ? JSON.stringify(line) : writeRow(line)}\n`)
    }
    if (!isJson) print('\n')
    recorded = { ...recorded, benches: { ...recorded.benches, [name]: result } }
    if (record !== null) await writeRecordedRun(record, recorded)
  }
  return failed
}

/** The columns of the printed table, with their widths. */
const columns = { figure: 32, value: 22, ratio: 9, target: 18, verdict: 9, 'compared with': 0 }

function joinCells(cells: readonly string[]): string {
  const widths = Object.values(columns)
  return `  ${cells.map((cell, at) => `${cell.padEnd(widths[at]! - 1)} `).join('')}`.trimEnd()
}

const header = joinCells(Object.keys(columns))

function writeRow({ figure, value, unit, ratio, target, verdict, against }: FigureLine): string {
  const valueText = value === null ? '-' : `${value} ${unit}`
  return joinCells([figure, valueText, String(ratio ?? '-'), targetText(target), verdict ?? '-', against])
}
