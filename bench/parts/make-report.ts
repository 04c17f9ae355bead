import { stat } from 'node:fs/promises'
import { tuneForOnePass } from '../../src/commands/v8-flags.ts'
import { readReport, writeHtmlReport } from '../../src/run/report-run.ts'
import { callInProcess, peakMemoryMb, startCpuClock } from './process.ts'

// This module imports only what a report needs, because all that it imports counts as memory of the report.

/** Makes the report of a run in a process of its own, as the command does. Times are from reading the records to the written file. */
export async function measureMaking(runFolder: string): ReturnType<typeof makeReport> {
  return (await callInProcess(import.meta.url, makeReport, runFolder)).result
}

/** Makes the report of a run in this process, and measures it. */
export async function makeReport(runFolder: string) {
  tuneForOnePass()
  const cpuClock = startCpuClock()
  const startedAt = performance.now()
  const [file = ''] = await writeHtmlReport(await readReport(runFolder), { copy: null })
  const [wallMs, cpuMs] = [performance.now() - startedAt, cpuClock()]
  return { wallMs, cpuMs, peakMb: peakMemoryMb(), file, fileMb: (await stat(file)).size / 1e6 }
}
