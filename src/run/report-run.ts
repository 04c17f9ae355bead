import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildReport } from '../report/build-report.ts'
import type { Report } from '../report/report.ts'
import { taintedAttempts } from './leaks.ts'
import { type RunRecords, readRun } from './run-folder.ts'

export interface LoadedReport {
  readonly folder: string
  readonly records: RunRecords
  readonly report: Report
}

/** A run's records and what they say; DataError where the folder is no run. */
export async function readReport(folder: string): Promise<LoadedReport> {
  const records = await readRun(folder)
  const { skippedTasks } = records.manifest
  const tainted = taintedAttempts(records.leaks)
  return { folder, records, report: buildReport({ ...records, skippedTasks, tainted }) }
}

/** Writes RUN/report.html, and a copy where one is asked for; gives the files written. */
export async function writeHtmlReport(loaded: LoadedReport, copy: string | null): Promise<string[]> {
  const { renderHtml } = await import('../report/html.ts')
  const html = await renderHtml(loaded)
  const files = [join(loaded.folder, 'report.html'), ...(copy === null ? [] : [copy])]
  for (const file of files) await writeFile(file, html)
  return files
}
