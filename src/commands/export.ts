import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'

/** Registers `export`. */
export const registerExport: RegisterCommand = command => {
  withPlugins(command)
    .argument('<RUN...>', 'the folders of runs')
    .requiredOption('--to <DIR>', 'the folder to write to; a new or empty one')
    .option(
      '--format <FORMAT>',
      'parquet, csv or jsonl: tables; atif, inspect: logs; browsecomp-plus: its run files',
      'parquet',
    )
    .action(
      async (folders: string[], { to, format }: { to: string; format: string }) =>
        await exportTo(folders, to, format),
    )
}

async function exportTo(folders: readonly string[], to: string, formatName: string): Promise<void> {
  const { exportChoices, exportRuns } = await import('../run/export-runs.ts')
  const { oneOf } = await import('../core/option-values.ts')
  const { readFlagValue } = await import('./flag-value.ts')
  const { collectOften } = await import('./v8-flags.ts')
  const format = readFlagValue('--format', oneOf(exportChoices), formatName)
  collectOften()
  const { files, notices } = await exportRuns(folders, { to, format })
  for (const notice of notices) process.stderr.write(`${notice}\n`)
  for (const { path, rows, noun = 'rows' } of files) process.stdout.write(`${path}  ${rows} ${noun}\n`)
}
