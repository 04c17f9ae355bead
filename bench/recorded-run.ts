import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { writeFileAtomically } from '../src/system/atomic-write.ts'
import { packageRoot } from '../src/system/paths.ts'
import { UsageError } from './command-line.ts'
import { type BenchFigure, rounded } from './figure.ts'
import { nodeStartMs } from './parts/process.ts'

/** The recorded run from which docs/bench.md is made. */
export const recordedRunFile: string = join(packageRoot, 'bench', 'recorded-run.json')

/** The machine of a recorded run, without its name. */
export interface Machine {
  readonly node: string
  /** Operating system and processor architecture, such as `linux x64`. */
  readonly platform: string
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
}

/** One bench of a recorded run. */
export interface RecordedBench {
  /** The day of the measurement (UTC). */
  readonly date: string
  /** The load average of the minute before the bench. An idle machine has less than 0.5. */
  readonly load: number
  /** The time of `node -e 0` before the bench: the speed of the machine at that moment. */
  readonly nodeStartMs: number
  /** How long the bench took. */
  readonly seconds: number
  /** Null when the bench failed. */
  readonly figures: readonly BenchFigure[] | null
}

/** The figures of a run of the benches, and where it was made. */
export interface RecordedRun {
  readonly machine: Machine
  readonly benches: Readonly<Record<string, RecordedBench>>
}

/** Describes this machine. */
export const thisMachine = (): Machine => ({
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 1e9),
})

/** Reads a recorded run. Returns null when the file is missing. */
export async function readRecordedRun(file: string): Promise<RecordedRun | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as RecordedRun
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new UsageError(`${file} is not a recorded run (${error instanceof Error ? error.message : error})`)
  }
}

/** Reads a recorded run that is continued on a machine; an empty one when the file is missing. */
export async function readRunOnMachine(file: string, machine: Machine): Promise<RecordedRun> {
  const run = (await readRecordedRun(file)) ?? { machine, benches: {} }
  if (isDeepStrictEqual(run.machine, machine)) return run
  throw new UsageError(
    `${file} was recorded on another machine or version of Node. Record all benches, without --resume and without names`,
  )
}

/** Writes a recorded run after each bench, so that a run that ends early loses only the bench at that moment. */
export async function writeRecordedRun(file: string, run: RecordedRun): Promise<void> {
  await writeFileAtomically(file, `${JSON.stringify(run, null, 2)}\n`)
}

/** Measures a bench and what the machine was doing. A bench that fails has no figures; `failed` receives its error. */
export async function recordBench(
  measure: () => Promise<readonly BenchFigure[]>,
  failed: (error: unknown) => void,
): Promise<RecordedBench> {
  const load = rounded(loadavg()[0] ?? 0)
  const startMs = Math.round(await nodeStartMs())
  const startedAt = performance.now()
  const figures = await measure().catch(error => {
    failed(error)
    return null
  })
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  return { date: new Date().toISOString().slice(0, 10), load, nodeStartMs: startMs, seconds, figures }
}
