import type { Report } from '../report/report.ts'
import type { RegisterCommand } from './command.ts'
import { addRunFlags } from './run-flags.ts'
import { width } from './width.ts'

interface ReportFlags {
  readonly json?: boolean
  readonly markdown?: boolean
  readonly html?: string
  readonly failUnder?: readonly string[]
}

export const registerReport: RegisterCommand = (command, setExitCode) => {
  command
    .argument('<RUN>', "a run's folder")
    .option('--json', 'as JSON')
    .option('--markdown', 'as Markdown')
    .option('--html <FILE>', 'the HTML report goes there too')
  addRunFlags(command, ['failUnder'])
  command.action(async (folder: string, flags: ReportFlags) => {
    const { resolveOption } = await import('../config.ts')
    const { parseThreshold, thresholdLines } = await import('../report/thresholds.ts')
    const thresholds = (resolveOption('failUnder', flags.failUnder) as string[]).map(parseThreshold)
    const lines = thresholdLines(await printReport(folder, flags), thresholds)
    for (const line of lines) process.stderr.write(`tablehunt: ${line}\n`)
    if (lines.length > 0) setExitCode(1)
  })
}

/** Prints a run's report in every form asked for (terminal text when none is) and writes report.html into it. Returns it. */
export async function printReport(folder: string, flags: ReportFlags): Promise<Report> {
  const { readReport, reportFile, writeHtmlReport } = await import('../run/report-run.ts')
  const { requireWritableFile } = await import('../run/require-writable.ts')
  const loaded = await readReport(folder)
  const own = reportFile(folder)
  await requireWritableFile('--html', flags.html ?? own)
  if (flags.json === true) process.stdout.write(`${JSON.stringify(loaded.report)}\n`)
  if (flags.markdown === true) {
    const { renderMarkdown } = await import('../report/markdown.ts')
    process.stdout.write(renderMarkdown(loaded.report))
  }
  if (flags.json !== true && flags.markdown !== true) {
    const { renderTerminal } = await import('../report/terminal.ts')
    process.stdout.write(renderTerminal(loaded.report, { columns: width() }))
  }
  const written = await writeHtmlReport(loaded, flags.html ?? null)
  const refused = written.includes(own) || flags.html === undefined ? '' : `; ${own} can't be written`
  process.stderr.write(`report: ${written.join(', ')}${refused}\n`)
  return loaded.report
}
