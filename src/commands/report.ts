import { ConfigError } from '../core/errors.ts'
import type { Threshold } from '../core/metric.ts'
import type { Report } from '../report/model/report.ts'
import type { RunPlace } from '../run/pack/open-places.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { addRunFlags, baselineHelp, byHelp } from './run-flags.ts'
import { printJson } from './terminal.ts'

interface ReportFlags {
  readonly full?: boolean
  readonly json?: boolean
  readonly markdown?: boolean
  readonly html?: string
  readonly split?: boolean
  readonly by?: string
  readonly baseline?: string
  readonly failUnder?: readonly string[]
  /** Scorers whose scores are printed first. The HTML report leads with the run's own scorer. */
  readonly firstScorers?: readonly string[]
  /** Thresholds whose metrics the run must have. They are checked before anything is printed. */
  readonly thresholds?: readonly Threshold[]
}

/** The help of --full in every command that prints a report. */
export const fullHelp = 'print all tables instead of the summary'

/** Registers `report`. */
export const registerReport: RegisterCommand = (command, setExitCode) => {
  command
    .argument('<RUN...>', 'the folder of a run, or a pack; several are compared')
    .option('--full', fullHelp)
    .option('--json', 'print JSON')
    .option('--markdown', 'print all tables as Markdown')
    .option('--by <FACET>', byHelp)
    .option('--baseline <ARM>', baselineHelp)
    .option('--html <FILE>', 'write the HTML report to FILE too')
    .option(
      '--split',
      'write the traces to report/ beside the HTML file, which loads them when they are opened',
    )
  addRunFlags(command, 'report')
  withPlugins(command).action(async (paths: string[], flags: ReportFlags) => {
    const { parseOption } = await import('../config.ts')
    const { tuneForOnePass } = await import('./v8-flags.ts')
    tuneForOnePass()
    const { parseThreshold } = await import('../core/metric.ts')
    const { listThresholdLines } = await import('../report/model/thresholds.ts')
    const thresholds = parseOption('failUnder', flags.failUnder).map(parseThreshold)
    const { withRunPlaces } = await import('../run/pack/open-places.ts')
    await withRunPlaces(paths, async places => {
      const [place, ...furtherPlaces] = places
      if (place === undefined || furtherPlaces.length > 0) return await reportSeveral(places, flags)
      const report = await printReport(place, { ...flags, thresholds })
      const lines = listThresholdLines(report, thresholds)
      for (const line of lines) process.stderr.write(`tablehunt: ${line}\n`)
      if (lines.length > 0) setExitCode(1)
    })
  })
}

/** Several runs are compared, as `compare` does: it refuses to put together what differs. */
async function reportSeveral(places: readonly RunPlace[], flags: ReportFlags): Promise<void> {
  if (flags.failUnder !== undefined)
    throw new ConfigError('--fail-under: several runs have no common threshold. Report one run at a time.', {
      code: 'flag-without-effect',
    })
  const { compare } = await import('./compare.ts')
  await compare(places, flags)
}

/**
 * Prints a run's report in every requested form, or the summary when none is requested. JSON contains everything and is
 * printed alone. Writes report.html to its folder.
 *
 * @throws ConfigError [unknown-metric, invalid-threshold, file-not-writable] before anything is printed
 */
export async function printReport({ folder, argument, pack }: RunPlace, flags: ReportFlags): Promise<Report> {
  const { isMadeElsewhere, readLargeReportNote, leadWithScorers, readReport, reportFile, writeHtmlReport } =
    await import('../run/report-run.ts')
  const { warnOfDamagedFiles } = await import('../run/records/attempt-files.ts')
  const { requireWritableFile } = await import('../system/files.ts')
  const { requireMetrics } = await import('../report/model/thresholds.ts')
  const { printSummary } = await import('./print-summary.ts')
  const loaded = await readReport(folder, { facet: flags.by, baseline: flags.baseline })
  const { firstScorers = [] } = flags
  const printed = firstScorers.length === 0 ? loaded : await leadWithScorers(loaded, firstScorers)
  requireMetrics(flags.thresholds ?? [], loaded.report.scorers)
  const isRunning = await isMadeElsewhere(folder)
  const reportPath = reportFile(folder, loaded.report.facet)
  const shown = { folder: argument, isPacked: pack !== null }
  await requireWritableFile('--html', flags.html ?? reportPath)
  if (flags.json === true) printJson(printed.report)
  if (flags.markdown === true && flags.json !== true) {
    const { renderMarkdown } = await import('../report/tables/report-sections.ts')
    process.stdout.write(renderMarkdown(printed.report))
  }
  if (flags.full === true && flags.json !== true)
    await printSummary({ ...printed, ...shown, isRunning, reportFiles: [] }, true)
  const isSplit = flags.split === true
  const written = await writeHtmlReport(loaded, { copy: flags.html ?? null, isSplit })
  // The folder of a pack is removed.
  const reportFiles = pack === null ? written : written.filter(file => file === flags.html)
  const large = await readLargeReportNote(written[0] ?? reportPath, { folder: argument, isSplit })
  const isShort = flags.full !== true && flags.json !== true && flags.markdown !== true
  if (isShort) await printSummary({ ...printed, ...shown, isRunning, reportFiles }, false)
  const failed =
    written.includes(reportPath) || flags.html === undefined ? [] : [`${reportPath} cannot be written`]
  // The summary names the files itself.
  const notices = [
    ...(isShort || reportFiles.length === 0 ? [] : [reportFiles.join(', ')]),
    ...failed,
    ...(large === null ? [] : [large]),
  ]
  if (notices.length > 0) process.stderr.write(`report: ${notices.join('; ')}\n`)
  if (pack === null) await warnOfDamagedFiles('report', [folder])
  return printed.report
}
