import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { nameOption } from '../config.ts'
import { formatFlag } from '../core/option-spec.ts'
import type { ShortSummaryInput } from '../report/short/short-summary.ts'
import { redacted } from '../system/secret-values.ts'
import { shellWord } from '../text/plain-text.ts'

/** A run's report, its records, and the files with its HTML form. */
export type SummarizedRun = Pick<
  ShortSummaryInput,
  'report' | 'records' | 'folder' | 'reportFiles' | 'isRunning'
>

/** Prints a run's report to stdout: the short summary, or all tables with --full. */
export async function printSummary(run: SummarizedRun, full: boolean): Promise<void> {
  const columns = process.stdout.columns ?? Number.POSITIVE_INFINITY
  if (full) {
    const { renderTerminal } = await import('../report/tables/terminal.ts')
    process.stdout.write(renderTerminal(run.report, { columns }))
    return
  }
  const { shortSummary } = await import('../report/short/short-summary.ts')
  process.stdout.write(shortSummary({ ...run, columns, commands: commandsFor(run) }))
}

/** Returns the commands that the summary suggests, ready to be pasted into a shell. */
function commandsFor({ folder, records }: SummarizedRun): ShortSummaryInput['commands'] {
  const program = programName(process.argv[1] ?? '', process.env)
  const run = shellWord(folder)
  const resume = `${program} run --resume --out ${run}${flagsToRepeat(records.manifest.config)}`
  return {
    full: `${program} report ${run} --full`,
    resume,
    status: `${program} status ${run}`,
    retry: `${resume} --retry unscored`,
  }
}

/** Returns `tablehunt` for a global installation, otherwise `npx tablehunt`. */
export function programName(script: string, env: NodeJS.ProcessEnv): string {
  const isNpm = env.npm_command !== undefined || env.npm_lifecycle_event !== undefined
  return basename(script) === 'tablehunt' && !isNpm ? 'tablehunt' : 'npx tablehunt'
}

/** Returns the flags that --resume needs again: for options with a secret, and for paths that do not exist from here. */
function flagsToRepeat(config: Readonly<Record<string, unknown>>): string {
  const secret = Object.keys(config).filter(name => JSON.stringify(config[name])?.includes(redacted))
  const moved = ['tasks', 'docs'].filter(name => {
    const path = config[name]
    return typeof path === 'string' && !existsSync(path)
  })
  return [...new Set([...secret, ...moved])]
    .map(name => ` ${nameOption(name) === name ? '--config' : formatFlag(name)} …`)
    .join('')
}
