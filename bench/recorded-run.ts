import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../src/system/paths.ts'
import { UsageError } from './command-line.ts'
import { type BenchFigure, rounded } from './figure.ts'
import { nodeStartMs } from './parts/process.ts'

/** The recorded run from which docs/bench.md is made. */
export const recordedRunFile: string = join(packageRoot, 'bench', 'recorded-run.json')

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
  readonly machine: ReturnType<typeof describeMachine>
  readonly benches: Readonly<Record<string, RecordedBench>>
}

/** Describes this machine, without its name. */
export function describeMachine() {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
  }
}

/** Reads a recorded run. Returns null when the file is missing. */
export async function readRecordedRun(file: string): Promise<RecordedRun | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as RecordedRun
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new UsageError(`${file} is not a recorded run (${error instanceof Error ? error.message : error})`)
  }
}

/** Measures a bench and what the machine was doing. A bench that fails has no figures; `failed` receives its error. */
export async function recordBench(
  measure: () => Promise<readonly BenchFigure[]>,
  failed: (error: unknown) => void,
): Promise<RecordedBench> {
  const before = { load: rounded(loadavg()[0] ?? 0), nodeStartMs: Math.round(await nodeStartMs()) }
  const startedAt = performance.now()
  const figures = await measure().catch(error => {
    failed(error)
    return null
  })
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  return { date: new Date().toISOString().slice(0, 10), ...before, seconds, figures }
}
