import type { Report } from '../report/model/report.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { addRunFlags } from './run-flags.ts'

interface ReportFlags {
  readonly full?: boolean
  readonly json?: boolean
  readonly markdown?: boolean
  readonly html?: string
  readonly by?: string
  readonly failUnder?: readonly string[]
  /** Scorers whose scores are shown first. */
  readonly firstScorers?: readonly string[]
}

/** The help of --by, the same for `report` and `compare`. */
export const byHelp = 'group by this facet of the tasks (domain)'

/** The help of --full, the same for every command that prints a report. */
export const fullHelp = 'print all tables instead of the summary'

export const registerReport: RegisterCommand = (command, setExitCode) => {
  command
    .argument('<RUN>', "a run's folder")
    .option('--full', fullHelp)
    .option('--json', 'as JSON')
    .option('--markdown', 'all tables as Markdown')
    .option('--by <FACET>', byHelp)
    .option('--html <FILE>', 'write the HTML report to FILE, too')
  addRunFlags(command, ['failUnder'])
  withPlugins(command).action(async (folder: string, flags: ReportFlags) => {
    const { resolveOption } = await import('../config.ts')
    const { parseThreshold } = await import('../core/metric.ts')
    const { requireMetrics, thresholdLines } = await import('../report/model/thresholds.ts')
    const thresholds = (resolveOption('failUnder', flags.failUnder) as string[]).map(parseThreshold)
    const report = await printReport(folder, flags)
    requireMetrics(thresholds, report.scorers)
    const lines = thresholdLines(report, thresholds)
    for (const line of lines) process.stderr.write(`tablehunt: ${line}\n`)
    if (lines.length > 0) setExitCode(1)
  })
}

/** Prints a run's report in every form asked for (the summary when none is), writes report.html into its folder, and returns it. */
export async function printReport(folder: string, flags: ReportFlags): Promise<Report> {
  const { readReport, reportFile, writeHtmlReport } = await import('../run/report-run.ts')
  const { requireWritableFile } = await import('../system/files.ts')
  const { lockHolder } = await import('../system/folder-lock.ts')
  const { printSummary } = await import('./print-summary.ts')
  const loaded = await readReport(folder, {
    facet: flags.by,
    ...(flags.firstScorers && { firstScorers: flags.firstScorers }),
  })
  const holder = await lockHolder(folder)
  const isRunning = holder !== null && holder.pid !== process.pid
  const own = reportFile(folder)
  await requireWritableFile('--html', flags.html ?? own)
  if (flags.json === true) process.stdout.write(`${JSON.stringify(loaded.report)}\n`)
  if (flags.markdown === true) {
    const { renderMarkdown } = await import('../report/tables/markdown.ts')
    process.stdout.write(renderMarkdown(loaded.report))
  }
  if (flags.full === true) await printSummary({ ...loaded, isRunning, reportFiles: [] }, true)
  const reportFiles = await writeHtmlReport(loaded, flags.html ?? null)
  const isShort = flags.full !== true && flags.json !== true && flags.markdown !== true
  if (isShort) await printSummary({ ...loaded, isRunning, reportFiles }, false)
  const refused = reportFiles.includes(own) || flags.html === undefined ? [] : [`${own} cannot be written`]
  // The summary names the files itself.
  const told = [...(isShort ? [] : [reportFiles.join(', ')]), ...refused]
  if (told.length > 0) process.stderr.write(`report: ${told.join('; ')}\n`)
  return loaded.report
}
