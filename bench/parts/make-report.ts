import { stat } from 'node:fs/promises'
import { tuneForOnePass } from '../../src/commands/v8-flags.ts'
import { readReport, writeHtmlReport } from '../../src/run/report-run.ts'
import { moduleInput, peakMemoryMb } from './process.ts'

export interface ReportCostInput {
  /** The folder of a run. */
  readonly folder: string
}

export interface ReportCost {
  /** From reading the records to the written file. */
  readonly makeMs: number
  /** The processor time of the same, with all threads. */
  readonly makeCpuMs: number
  readonly peakMb: number
  readonly file: string
  readonly fileMb: number
}

/** Makes the report of a run in this process, as the command does. Prints its cost as a line of JSON. */
const { folder } = moduleInput<ReportCostInput>()
tuneForOnePass()
const before = process.cpuUsage()
const startedAt = performance.now()
const [file = ''] = await writeHtmlReport(await readReport(folder), { copy: null })
const makeMs = performance.now() - startedAt
const { user, system } = process.cpuUsage(before)
const { size } = await stat(file)
const cost: ReportCost = {
  makeMs,
  makeCpuMs: (user + system) / 1_000,
  peakMb: peakMemoryMb(),
  file,
  fileMb: size / 1e6,
}
process.stdout.write(`${JSON.stringify(cost)}\n`)
