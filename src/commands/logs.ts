import { logFormats } from '../../logs/import/registry.ts'
import { withoutControlCharacters } from '../text/plain-text.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { terminalWidth } from './terminal-width.ts'

export const registerLogs: RegisterCommand = command => {
  command
    .command('termination')
    .argument('<RUN>', "a run's folder")
    .option('--json', 'as JSON')
    .description(
      'why attempts ended, what failures cost, what the last steps did, where agents went in circles',
    )
    .action(termination)
  withPlugins(command.command('import'))
    .argument('<FORMAT>', logFormats.names().join(', '))
    .argument('<FILE...>', "logs of another agent's runs")
    .requiredOption('--out <RUN>', 'the folder that becomes a run')
    .description("read other agents' logs into a run, for report, compare, view and logs")
    .action(importFiles)
  command
    .command('diff')
    .argument('<A>', 'an attempt, as RUN/ATTEMPT or its trace file')
    .argument('<B>', 'another')
    .option('--json', 'as JSON')
    .description('two attempts side by side, aligned, the first divergence marked')
    .action(diff)
  command
    .command('show')
    .argument('<RUN>', "a run's folder")
    .argument('<ATTEMPT>', "an attempt's id, or how it begins")
    .option('--json', 'its events as JSON lines')
    .description("an attempt's trace, step by step, then its score explained")
    .action(show)
}

async function termination(folder: string, { json }: { json?: boolean }): Promise<void> {
  const { readRun } = await import('../run/records/run-folder.ts')
  const { traceSource } = await import('../run/records/trace-source.ts')
  const { analyseTerminations } = await import('../report/trace/terminations.ts')
  const { scorersOfRun } = await import('../run/report-data.ts')
  const { manifest, attempts, scores } = await readRun(folder)
  const { eventsOf } = traceSource(folder)
  const report = await analyseTerminations({
    runId: manifest.runId,
    attempts,
    scores,
    scorers: scorersOfRun({ manifest, scores }),
    skippedTasks: manifest.skippedTasks.length,
    eventsOf,
  })
  if (json === true) {
    process.stdout.write(`${JSON.stringify(report)}\n`)
    return
  }
  const { terminationTables } = await import('../report/trace/termination-tables.ts')
  const { renderTables } = await import('../report/tables/terminal.ts')
  const { unfinishedNote } = await import('../report/model/report-notes.ts')
  const columns = terminalWidth()
  const unfinished = unfinishedNote(manifest, attempts)
  const note = unfinished === null ? '' : `Note: ${unfinished}.\n`
  process.stdout.write(renderTables(terminationTables(report), { columns }) + note)
}

async function importFiles(format: string, files: string[], { out }: { out: string }): Promise<void> {
  const { importLogs } = await import('../run/import/import-logs.ts')
  const summary = await importLogs(format, files, out)
  for (const { place, problem } of summary.skipped)
    process.stderr.write(`${withoutControlCharacters(`${place}: left out: ${problem}`)}\n`)
  for (const [words, count] of summary.unmapped)
    process.stderr.write(`${withoutControlCharacters(`unmapped, its words kept: ${words} (${count})`)}\n`)
  process.stdout.write(`${summary.attempts} ${summary.attempts === 1 ? 'attempt' : 'attempts'} -> ${out}\n`)
}

async function diff(a: string, b: string, { json }: { json?: boolean }): Promise<void> {
  const { findTrace } = await import('../run/records/find-trace.ts')
  const { diffTable, diffTraces } = await import('../report/trace/trace-diff.ts')
  const compared = diffTraces(await findTrace(a), await findTrace(b))
  if (json === true) {
    process.stdout.write(`${JSON.stringify(compared)}\n`)
    return
  }
  const { renderTables } = await import('../report/tables/terminal.ts')
  process.stdout.write(renderTables([diffTable(compared)], { columns: terminalWidth() }))
}

async function show(run: string, attempt: string, { json }: { json?: boolean }): Promise<void> {
  const { traceOf } = await import('../run/records/find-trace.ts')
  const { attemptId, events, blob } = await traceOf(run, attempt)
  if (json === true) {
    for (const event of events) process.stdout.write(`${JSON.stringify(event)}\n`)
    return
  }
  const { scoreText, traceText } = await import('../report/trace/trace-text.ts')
  const { readManifest, scoresOf } = await import('../run/records/run-folder.ts')
  const { scorersOfRun } = await import('../run/report-data.ts')
  const scores = await scoresOf(run, attemptId)
  const scorers = scorersOfRun({ manifest: await readManifest(run), scores })
  const explained = scores.map(score => scoreText(score, scorers))
  process.stdout.write(traceText(attemptId, events, blob) + explained.join(''))
}
