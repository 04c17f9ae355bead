import { isDeepStrictEqual } from 'node:util'
import { writeFileAtomically } from '../src/system/atomic-write.ts'
import { type BenchCommand, UsageError } from './command-line.ts'
import { type BenchFigure, describeLine, writeFigureTable } from './figure.ts'
import { type RecordedRun, readRecordedRun, recordBench } from './recorded-run.ts'

/** Where benches are measured, and who reads their figures. */
export interface BenchPlace {
  measure(bench: string): Promise<readonly BenchFigure[]>
  readonly machine: RecordedRun['machine']
  readonly print: (text: string) => void
  readonly warn: (text: string) => void
}

/**
 * Runs benches one after the other and prints their figures. A bench that fails does not stop the others.
 *
 * @returns the names of the benches that failed
 */
export async function runBenches(command: BenchCommand, place: BenchPlace): Promise<string[]> {
  const { benches, record, isResumed, isJson } = command
  const { measure, machine, print, warn } = place
  const tell = isJson ? warn : print
  let recorded = await readRunToContinue(command, machine)
  const isMissing = (name: string): boolean => (recorded.benches[name]?.figures ?? null) === null
  const left = benches.filter(([name]) => !isResumed || isMissing(name))
  const count = benches.length === 1 ? 'this bench' : `all ${benches.length} benches`
  if (left.length === 0) tell(`Nothing is left to run. ${record} has the figures of ${count}.\n`)
  const failed: string[] = []
  for (const [name, bench] of left) {
    tell(`${name}: ${bench.summary}\n  ${bench.read}\n`)
    const result = await recordBench(
      () => measure(name),
      error => {
        failed.push(name)
        warn(`bench: ${name} failed: ${error instanceof Error ? error.message : error}\n`)
      },
    )
    const lines = (result.figures ?? []).map(figure => describeLine(name, bench, figure))
    if (isJson) for (const line of lines) print(`${JSON.stringify(line)}\n`)
    else if (lines.length > 0) print(`\n${writeFigureTable(lines)}\n\n`)
    recorded = { ...recorded, benches: { ...recorded.benches, [name]: result } }
    // Written after each bench, so that a run that ends early loses only the bench at that moment.
    if (record !== null) await writeFileAtomically(record, `${JSON.stringify(recorded, null, 2)}\n`)
  }
  return failed
}

/** Returns the run that this one completes: an empty one, or the one in the file. */
async function readRunToContinue(
  { record, keepsRecorded }: BenchCommand,
  machine: RecordedRun['machine'],
): Promise<RecordedRun> {
  const before = record === null || !keepsRecorded ? null : await readRecordedRun(record)
  if (before === null || isDeepStrictEqual(before.machine, machine)) return before ?? { machine, benches: {} }
  throw new UsageError(
    `${record} was recorded on another machine or version of Node. Record all benches, without --resume and without names`,
  )
}
