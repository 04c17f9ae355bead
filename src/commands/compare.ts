import { join } from 'node:path'
import { ConfigError } from '../core/errors.ts'
import type { RunPlace } from '../run/pack/open-places.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { baselineHelp, byHelp } from './run-flags.ts'
import { measureTerminal, printJson } from './terminal.ts'

interface CompareFlags {
  readonly json?: boolean
  readonly markdown?: boolean
  readonly csv?: string
  readonly latex?: string
  readonly html?: string
  readonly split?: boolean
  readonly force?: boolean
  readonly full?: boolean
  readonly paper?: boolean
  readonly by?: string
  readonly baseline?: string
  readonly reasoningModels?: readonly string[]
}

/** Registers `compare`. */
export const registerCompare: RegisterCommand = command => {
  withPlugins(command)
    .argument('<RUN...>', 'the folders of runs, or packs')
    .option('--json', 'print JSON')
    .option('--markdown', 'print Markdown')
    .option('--csv <DIR>', 'write a CSV file for each table')
    .option('--latex <DIR>', 'write a LaTeX file for each table')
    .option('--html <FILE>', 'write one HTML page over all runs')
    .option(
      '--split',
      'with --html: write the traces to report/ beside FILE, which loads them when they are opened',
    )
    .option('--by <FACET>', byHelp)
    .option('--baseline <ARM>', baselineHelp)
    .option(
      '--reasoning-models <LIST>',
      'the models that reason, or none, for tables that separate them (default: by the reasoning tokens and options of the attempts)',
      (list: string) => list.split(',').map(name => name.trim()),
    )
    .option('--full', 'print all tables instead of the summary, and compare all pairs of arms')
    .option('--paper', "print the tables in the layouts of the benchmarks' papers too")
    .option('--force', 'compare runs although their webs or judges differ')
    .action(async (paths: string[], flags: CompareFlags) => {
      const { withRunPlaces } = await import('../run/pack/open-places.ts')
      await withRunPlaces(paths, async places => await compare(places, flags))
    })
}

/**
 * Compares runs and prints the comparison, in every requested form.
 *
 * @throws the errors of `loadComparison`; ConfigError [missing-option, file-not-writable, folder-not-writable]
 */
export async function compare(places: readonly RunPlace[], flags: CompareFlags): Promise<void> {
  if (flags.split === true && flags.html === undefined)
    throw new ConfigError('--split has no effect without --html. Add --html FILE.', {
      code: 'missing-option',
    })
  const { loadComparison } = await import('../run/compare-folders.ts')
  const { writeOutput } = await import('../system/atomic-write.ts')
  const { requireWritable, requireWritableFile } = await import('../system/files.ts')
  const render = await import('../report/compare/render-comparison.ts')
  if (flags.html !== undefined) await requireWritableFile('--html', flags.html)
  const loaded = await loadComparison(places, flags)
  const { comparison } = loaded
  const { warnOfDamagedFiles } = await import('../run/records/attempt-files.ts')
  await warnOfDamagedFiles(
    'compare',
    places.filter(({ pack }) => pack === null).map(({ folder }) => folder),
  )
  for (const format of ['csv', 'latex'] as const) {
    const folder = flags[format]
    if (folder === undefined) continue
    await requireWritable(`--${format}`, folder)
    for (const [name, text] of render.writeComparisonFiles(comparison, format)) {
      await writeOutput(join(folder, name), text)
      process.stderr.write(`${join(folder, name)}\n`)
    }
  }
  if (flags.html !== undefined) {
    const { writeComparisonPage } = await import('../run/comparison-page.ts')
    await writeComparisonPage(loaded, flags.html, { isSplit: flags.split === true })
    process.stderr.write(`${flags.html}\n`)
  }
  if (flags.json === true) printJson(comparison)
  else if (flags.markdown === true) process.stdout.write(render.writeComparisonMarkdown(comparison, flags))
  const elsewhere = flags.json ?? flags.markdown ?? flags.csv ?? flags.latex ?? flags.html
  if (elsewhere !== undefined) return
  if (flags.full === true)
    process.stdout.write(render.renderComparison(comparison, { ...flags, columns: measureTerminal() }))
  else {
    const { printComparison } = await import('./print-summary.ts')
    await printComparison(loaded)
    if (flags.paper === true)
      process.stdout.write(`\n${render.renderPaperTables(comparison, { columns: measureTerminal() })}`)
  }
}
