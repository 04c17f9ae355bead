import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { everyOption, nameOption } from '../config.ts'
import { formatFlag } from '../core/option-spec.ts'
import type { ShortSummaryInput } from '../report/short/short-summary.ts'
import type { LoadedComparison } from '../run/compare-folders.ts'
import { redacted } from '../system/secret-values.ts'
import { joinToOneLine, quoteForShell } from '../text/plain-text.ts'

/** A run's report, its records, and the files with its HTML form. */
export interface SummarizedRun
  extends Pick<ShortSummaryInput, 'report' | 'records' | 'reportFiles' | 'isRunning'> {
  /** The run's folder or the pack, as the user named it. */
  readonly folder: string
  /** True for a run of a pack, which cannot be resumed. */
  readonly isPacked?: boolean
}

/** Prints a run's report to stdout: the short summary, or all tables with --full. */
export async function printSummary(run: SummarizedRun, full: boolean): Promise<void> {
  const columns = process.stdout.columns ?? Number.POSITIVE_INFINITY
  if (full) {
    const { renderTerminal } = await import('../report/tables/terminal.ts')
    process.stdout.write(renderTerminal(run.report, { columns }))
    return
  }
  const { fitMiddle } = await import('../report/tables/display-width.ts')
  const { writeShortSummary } = await import('../report/short/short-summary.ts')
  const title = `Run ${fitMiddle(joinToOneLine(basename(run.folder)), 30)}`
  process.stdout.write(writeShortSummary({ ...run, title, columns, commands: nameCommands(run) }))
}

/** Prints the summary of compared runs to stdout. */
export async function printComparison({ comparison, runs }: LoadedComparison): Promise<void> {
  const { poolRecords } = await import('../report/compare/pool-runs.ts')
  const { writeShortSummary } = await import('../report/short/short-summary.ts')
  const program = nameProgram(process.argv[1] ?? '', process.env)
  const folders = [...new Set(runs.map(({ argument }) => quoteForShell(argument)))].join(' ')
  process.stdout.write(
    writeShortSummary({
      report: comparison,
      records: poolRecords(runs, { facet: comparison.facet, options: everyOption() }),
      title: `Comparison of ${runs.map(({ name }) => name).join(' and ')}`,
      columns: process.stdout.columns ?? Number.POSITIVE_INFINITY,
      isRunning: false,
      reportFiles: [],
      commands: { full: `${program} compare ${folders} --full`, resume: null, status: null, retry: null },
    }),
  )
}

/** Returns the commands that the summary suggests, ready to be pasted into a shell. */
function nameCommands({ folder, records, isPacked }: SummarizedRun): ShortSummaryInput['commands'] {
  const program = nameProgram(process.argv[1] ?? '', process.env)
  const run = quoteForShell(folder)
  if (isPacked === true)
    return { full: `${program} report ${run} --full`, resume: null, status: null, retry: null }
  const resume = `${program} run --resume --out ${run}${formatFlagsToRepeat(records.manifest.config)}`
  return {
    full: `${program} report ${run} --full`,
    resume,
    status: `${program} status ${run}`,
    retry: `${resume} --retry unscored`,
  }
}

/** Returns `tablehunt` for a global installation, otherwise `npx tablehunt`. */
export function nameProgram(script: string, env: NodeJS.ProcessEnv): string {
  const isNpm = env.npm_command !== undefined || env.npm_lifecycle_event !== undefined
  return basename(script) === 'tablehunt' && !isNpm ? 'tablehunt' : 'npx tablehunt'
}

/** Returns the flags that --resume needs again: for options with a secret, and for paths that do not exist from here. */
function formatFlagsToRepeat(config: Readonly<Record<string, unknown>>): string {
  const secret = Object.keys(config).filter(name => JSON.stringify(config[name])?.includes(redacted))
  const moved = ['tasks', 'docs'].filter(name => {
    const path = config[name]
    return typeof path === 'string' && !existsSync(path)
  })
  return [...new Set([...secret, ...moved])]
    .map(name => ` ${nameOption(name) === name ? '--config' : formatFlag(name)} …`)
    .join('')
}
