import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { logFormats } from '../../logs/import/registry.ts'
import { ConfigError } from '../core/errors.ts'
import { formatCount } from '../score/explain/wording.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { addRunFlags, makeConfigFlag } from './run-flags.ts'
import { measureTerminal, printJson, tell } from './terminal.ts'

/** Registers `logs` and the commands below it. */
export const registerLogs: RegisterCommand = command => {
  command
    .command('termination')
    .argument('<RUN>', 'the folder of a run')
    .option('--json', 'print JSON')
    .description('show why attempts ended, the cost of failures, the last steps, and loops of agents')
    .action(printTermination)
  const imports = command
    .command('import')
    .argument('<FORMAT>', logFormats.names().join(', '))
    .argument('<FILE...>', 'log files of another agent')
    .requiredOption('--out <RUN>', 'new folder for the run')
    .option(
      '--questions <FILE>',
      'questions of samples that have none: an id, a tab and the question per line',
    )
    .description('convert logs of other agents to a run, and score them with --tasks')
  addRunFlags(imports.addOption(makeConfigFlag()), 'logs import')
  withPlugins(imports).action(importFiles)
  command
    .command('diff')
    .argument('<A>', 'an attempt: RUN/ATTEMPT or its trace file')
    .argument('<B>', 'another attempt')
    .option('--full', 'print texts as a whole')
    .option('--json', 'print JSON, with texts as a whole')
    .description('compare the traces of two attempts side by side, and mark the first difference')
    .action(printDiff)
  command
    .command('show')
    .argument('<RUN>', 'the folder of a run; alone, it lists its attempts. RUN/ATTEMPT names one of them')
    .argument('[ATTEMPT]', 'the id of an attempt, or the beginning of it')
    .option('--json', 'print the events as JSON lines')
    .description('print the trace of an attempt step by step, and explain its score')
    .action(show)
}

async function printTermination(folder: string, { json }: { json?: boolean }): Promise<void> {
  const { collectScorerMetrics, readRun } = await import('../run/records/read-records.ts')
  const { traceSource } = await import('../run/records/trace-source.ts')
  const { analyseTerminations } = await import('../report/trace/terminations.ts')
  const { manifest, attempts, scores } = await readRun(folder)
  const { eventsOf } = traceSource(folder)
  const report = await analyseTerminations({
    runId: manifest.runId,
    attempts,
    scores,
    scorers: collectScorerMetrics(manifest, scores),
    skippedTasks: manifest.skippedTasks.length,
    eventsOf,
  })
  if (json === true) return printJson(report)
  const { makeTerminationTables } = await import('../report/trace/termination-tables.ts')
  const { renderTables } = await import('../report/tables/terminal.ts')
  const { writeUnfinishedNote } = await import('../report/model/report-notes.ts')
  const columns = measureTerminal()
  const unfinished = writeUnfinishedNote(manifest, attempts)
  const note = unfinished === null ? '' : `Note: ${unfinished}.\n`
  process.stdout.write(renderTables(makeTerminationTables(report), { columns }) + note)
}

async function importFiles(
  format: string,
  files: string[],
  { out, questions, config: file, plugins: _, ...flags }: ImportFlags,
): Promise<void> {
  const { importLogs } = await import('../run/import/import-logs.ts')
  const config = await resolveImport(file ?? null, flags)
  const summary = await importLogs(format, files, out, { config, questions: questions ?? null })
  for (const { place, problem } of summary.skipped) tell(`${place}: left out: ${problem}`)
  for (const { file, original } of summary.copies)
    tell(
      `${file}: the same content as ${original}: its attempts count as further trials. Leave it out if it is a copy.`,
    )
  for (const [words, count] of summary.unmapped) tell(`unmapped, its words kept: ${words} (${count})`)
  for (const { sourceId, reason } of summary.unmatched) tell(`${sourceId}: not scored: ${reason}`)
  const scored = config === null ? '' : `, ${summary.scored} scored`
  process.stdout.write(`${formatCount(summary.attempts, 'attempt')}${scored} -> ${out}\n`)
}

type ImportFlags = {
  readonly out: string
  readonly questions?: string
  readonly config?: string
  readonly plugins?: unknown
} & Readonly<Record<string, unknown>>

/** Resolves the options of scoring; null without --tasks, when every other one of them is an error. */
async function resolveImport(file: string | null, flags: Readonly<Record<string, unknown>>) {
  const [other] = Object.keys(flags)
  if (flags.tasks === undefined && other === undefined) return null
  if (flags.tasks === undefined)
    throw new ConfigError(
      `--${other}: imported logs are only scored with --tasks. Add --tasks FILE, or leave the option out.`,
      { code: 'needs-tasks' },
    )
  const { completeOptions, parseOption, parseOptions } = await import('../config.ts')
  const { addFileOptions } = await import('../config/gather-options.ts')
  const options = parseOptions(await addFileOptions('logs import', flags, file))
  return { ...completeOptions(options), tasks: parseOption('tasks', flags.tasks) }
}

/** The width of the lines when the output is no terminal. */
const plainWidth = 100

async function printDiff(
  a: string,
  b: string,
  { json, full }: { json?: boolean; full?: boolean },
): Promise<void> {
  const { findTrace } = await import('../run/records/find-trace.ts')
  const { diffText, diffTraces } = await import('../report/trace/trace-diff.ts')
  const compared = diffTraces(await findTrace(a), await findTrace(b))
  if (json === true) return printJson(compared)
  const columns = process.stdout.columns ?? (Number(process.env.COLUMNS) || plainWidth)
  process.stdout.write(diffText(compared, { columns, full: full === true }))
}

async function show(place: string, name: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const { findTrace, listTracedAttempts, readAttemptTrace } = await import('../run/records/find-trace.ts')
  if (name === undefined && existsSync(join(place, 'traces'))) {
    process.stdout.write(`${(await listTracedAttempts(place)).join('\n')}\n`)
    return
  }
  const { attemptId, events, blob } = await (name === undefined
    ? findTrace(place)
    : readAttemptTrace(place, name))
  const run = name === undefined ? dirname(place) : place
  if (json === true) {
    for (const event of events) printJson(event)
    return
  }
  const { scoreText, traceText } = await import('../report/trace/trace-text.ts')
  const { readManifest } = await import('../run/records/manifest-file.ts')
  const { collectScorerMetrics, readAttemptScores } = await import('../run/records/read-records.ts')
  const scores = await readAttemptScores(run, attemptId)
  const scorers = collectScorerMetrics(await readManifest(run), scores)
  const explained = scores.map(score => scoreText(score, scorers))
  process.stdout.write(traceText(attemptId, events, blob) + explained.join(''))
}
