import type { Command } from 'commander'
import type { BuildFlags } from '../run/web-tools/sealed-web.ts'
import { withoutControlCharacters } from '../text/plain-text.ts'
import type { RegisterCommand } from './command.ts'
import { addRunFlags } from './run-flags.ts'
import { measureTerminal, printJson, tell } from './terminal.ts'

/** Registers `web` and the commands below it. */
export const registerWeb: RegisterCommand = web => {
  web
    .command('build')
    .argument(
      '<DOCUMENTS...>',
      'a folder with documents, also in folders below it, or JSONL or Parquet files',
    )
    .requiredOption('--out <CORPUS>', 'folder for the corpus')
    .option('--twins <N>', 'folder: how many copies of each document with altered figures (default: 1)')
    .option('--seed <N>', 'folder: seed of all random choices (default: 0)')
    .option('--embedder <NAME>', 'files: also make vectors for dense search, with an embedder such as hash')
    .description('make a corpus from a folder of documents, or from files with docid, url and text')
    .action(async (paths: string[], flags: BuildFlags) => {
      const { buildWeb } = await import('../run/web-tools/sealed-web.ts')
      process.stdout.write(`${await buildWeb(paths, flags, tell)}\n`)
    })
  web
    .command('serve')
    .argument('<CORPUS>', 'a folder that web build wrote')
    .option('--port <N>', 'port on 127.0.0.1; 0 chooses a free one', '0')
    .description('serve a corpus until Ctrl-C')
    .action(async (folder: string, flags: { port: string }) => {
      const { readFlagValue } = await import('./flag-value.ts')
      const values = await import('../core/option-values.ts')
      const port = readFlagValue('--port', values.port, flags.port)
      const { serveWeb } = await import('../run/web-tools/sealed-web.ts')
      await serveWeb(folder, port, text => process.stdout.write(`${text}\n`))
    })
  web
    .command('search')
    .argument('<CORPUS>', 'a folder that web build wrote')
    .argument('<QUERY>', 'the query, as an agent writes it')
    .description('search a corpus')
    .action(async (folder: string, query: string) => {
      const { searchWeb } = await import('../run/web-tools/sealed-web.ts')
      process.stdout.write(`${withoutControlCharacters(await searchWeb(folder, query))}\n`)
    })
  registerRecall(web.command('recall'))
  web
    .command('drift')
    .argument('<RECORDING>', 'a folder that --record wrote')
    .description('fetch the recorded pages again, and list those that changed, moved or disappeared')
    .action(async (folder: string) => {
      const { describeDrift } = await import('../run/web-tools/sealed-web.ts')
      for await (const line of describeDrift(folder))
        process.stdout.write(`${withoutControlCharacters(line)}\n`)
    })
}

interface RecallFlags {
  readonly tasks: string
  readonly benchmark?: string
  readonly json?: boolean
}

function registerRecall(recall: Command): void {
  recall
    .argument('<CORPUS>', 'a folder that web build made of JSONL or Parquet files')
    .requiredOption('--tasks <FILE>', 'tasks with relevance judgements')
    .option('--json', 'print JSON')
    .description('search a corpus with each question, and measure how many judged documents are found')
    .action(async (folder: string, flags: RecallFlags) => await printRecall(folder, flags))
  addRunFlags(recall, 'web recall')
}

async function printRecall(folder: string, { tasks: file, benchmark, json }: RecallFlags): Promise<void> {
  const { parseOption } = await import('../config.ts')
  const { readTasks } = await import('../run/plan/read-tasks.ts')
  const { measureRecall, makeRecallTable } = await import('../run/web-tools/corpus-recall.ts')
  const { loadCorpus } = await import('../../tools/web/corpus-folder.ts')
  const { nameEmbedder } = await import('../run/web-tools/naming-embedder.ts')
  const options = { tasks: file, benchmark: parseOption('benchmark', benchmark), spreadsheet: null }
  const { tasks, skipped } = await readTasks(options)
  const skippedTasks = skipped.length
  const corpus = await loadCorpus(folder)
  const recall = await nameEmbedder(() => measureRecall(corpus, tasks))
  if (json === true) return printJson({ ...recall, skippedTasks })
  const { renderTables } = await import('../report/tables/terminal.ts')
  process.stdout.write(
    renderTables([makeRecallTable(recall, { skippedTasks })], { columns: measureTerminal() }),
  )
}
