import { type Command, Option } from 'commander'
import type { CommandConfig } from '../config.ts'
import type { RegisterCommand } from './command.ts'
import { registerMake } from './make-tasks.ts'
import { addRunFlags, makeConfigFlag } from './run-flags.ts'
import { measureTerminal, printJson, tell } from './terminal.ts'

interface TasksFlags {
  readonly config?: string
  readonly json?: boolean
  readonly [option: string]: unknown
}

/** Registers `tasks` and the commands below it. */
export const registerTasks: RegisterCommand = (command, setExitCode) => {
  withFlags(command.command('check'))
    .description(
      'validate tasks, score their gold against itself, open their documents, and show the prompt of one',
    )
    .action(async (file: string, flags: TasksFlags) => setExitCode(await checkFile(file, flags)))
  withFlags(command.command('stats'))
    .option('--by <FACET>', 'facet of the tasks by which they are grouped', 'domain')
    .option(
      '--pilot <RUN>',
      'say how large a run must be to detect a difference, with the spread and the cost of RUN',
    )
    .option('--difference <POINTS>', 'the difference to detect, in points', '10')
    .description(
      "count tasks, documents, tokens, rows and columns by domain, as in AOE's Table 2 and ExtractBench's Tables 1, 2 and 6",
    )
    .action(printStatistics)
  registerMake(command)
}

function withFlags(command: Command): Command {
  command.argument('<FILE>', 'file or folder with the tasks, in the format of --benchmark')
  return addRunFlags(command, 'tasks')
    .addOption(makeConfigFlag())
    .addOption(new Option('--json', 'print JSON'))
}

/** Reads the options, also from the config file of the working folder, as `run` does. */
async function resolveFlags(
  tasks: string,
  { config: file, json, by, pilot, difference, ...flags }: TasksFlags,
): Promise<CommandConfig & { readonly tasks: string; readonly cache: string }> {
  const { gatherOptions } = await import('../config/gather-options.ts')
  const { completeOptions } = await import('../config.ts')
  const { openCache } = await import('../run/open-run/open-cache.ts')
  const sources = { folder: process.cwd(), file: file ?? null, flags, env: process.env }
  const { options, notices } = await gatherOptions(sources)
  for (const notice of notices) process.stderr.write(`${notice}\n`)
  const config = completeOptions(options)
  return { ...config, tasks, cache: await openCache({ cache: config.cache, env: process.env, tell }) }
}

async function checkFile(file: string, flags: TasksFlags): Promise<number> {
  const { checkTasks } = await import('../run/tasks/check-tasks.ts')
  const check = await checkTasks(await resolveFlags(file, flags))
  if (flags.json === true) printJson(check)
  else {
    const { checkLines } = await import('../run/tasks/check-lines.ts')
    const { withoutControlCharacters } = await import('../text/plain-text.ts')
    process.stdout.write(withoutControlCharacters(`${checkLines(check).join('\n')}\n`))
  }
  // A value that its documents lack may be derived from others, and a notice is no fault of the task.
  const isSound = check.problems.every(({ code }) => code === 'gold-not-found' || code === 'document-notice')
  return isSound && check.tasks > 0 ? 0 : 2
}

async function printStatistics(file: string, flags: TasksFlags): Promise<void> {
  const { readDocuments } = await import('../run/tasks/read-documents.ts')
  const { readTasks } = await import('../run/plan/read-tasks.ts')
  const { withOptionalDocuments } = await import('../run/plan/optional-documents.ts')
  const { computeTaskStatistics } = await import('../run/tasks/task-statistics.ts')
  const { loadTokenCounter } = await import('../models/token-count.ts')
  const options = await resolveFlags(file, flags)
  const { tasks: read, skipped } = await readTasks(options)
  const tasks = await withOptionalDocuments(read, options.docs)
  const countTokens = await loadTokenCounter()
  const documents = await readDocuments(tasks, { ...options, countTokens })
  const domains = computeTaskStatistics(tasks, documents, { facet: String(flags.by), countTokens })
  const plan = flags.pilot === undefined ? null : await planFromPilot(flags)
  if (flags.json === true) {
    const sizes = plan === null ? {} : { neededSizes: plan.sizes }
    printJson({ domains, skippedTasks: skipped.length, ...sizes })
    return
  }
  const { makeStatisticsTable } = await import('../run/tasks/statistics-table.ts')
  const { renderTables } = await import('../report/tables/terminal.ts')
  const uncounted = domains.at(-1)?.uncountedDocuments ?? 0
  const remarks = [
    'A document counts once for each task that names it. Avg Tokens is per document, Total Input Tokens per task (o200k encoding).',
    ...(domains.at(-1)?.goldLeaves == null
      ? []
      : [
          'Schema keys, Schema depth, Pages and Gold values are those of ExtractBench (Tables 1, 2 and 6). Its gold tokens are of GPT-2.',
        ]),
    ...(uncounted === 0
      ? []
      : [
          `The tokens of ${uncounted} documents are unknown${options.docs === null ? ': name their folder with --docs DIR' : ': tablehunt tasks check says why'}.`,
        ]),
    ...(skipped.length === 0
      ? []
      : [`${skipped.length} records are left out: tablehunt tasks check says why.`]),
  ]
  const table = makeStatisticsTable(domains, { title: `Data statistics of ${file}`, remarks })
  const tables = plan === null ? [table] : [table, plan.table]
  process.stdout.write(renderTables(tables, { columns: measureTerminal() }))
}

/** Computes how large a run must be, with the spread and the cost of the pilot run. */
async function planFromPilot({ pilot, difference }: TasksFlags) {
  const { z } = await import('zod/v4')
  const { readFlagValue } = await import('./flag-value.ts')
  const { readReport } = await import('../run/report-run.ts')
  const { joinEntries } = await import('../report/model/entries.ts')
  const { filterFirstScoring } = await import('../report/model/termination-rows.ts')
  const { computeNeededSizes } = await import('../report/model/needed-sizes.ts')
  const { makeNeededSizesTable, convertToPoints } = await import('../report/tables/needed-sizes-table.ts')
  const points = readFlagValue('--difference', z.coerce.number().positive(), difference)
  const { report, records } = await readReport(String(pilot))
  const entries = filterFirstScoring(joinEntries(records.attempts, records.scores))
  const sizes = computeNeededSizes(report, entries, convertToPoints(report, points))
  return { sizes, table: makeNeededSizesTable(report, sizes, points) }
}
