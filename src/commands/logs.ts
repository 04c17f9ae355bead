import type { RegisterCommand } from './command.ts'

export const registerLogs: RegisterCommand = command => {
  command
    .command('termination')
    .argument('<RUN>', "a run's folder")
    .option('--json', 'as JSON')
    .description(
      'why attempts ended, what failures cost, what the last steps did, where agents went in circles',
    )
    .action(async (folder: string, { json }: { json?: boolean }) => {
      const { readRun } = await import('../run/run-folder.ts')
      const { traceSource } = await import('../run/trace-source.ts')
      const { analyseTerminations } = await import('../report/terminations.ts')
      const { manifest, attempts, scores } = await readRun(folder)
      const { eventsOf } = traceSource(folder)
      const report = await analyseTerminations({ runId: manifest.runId, attempts, scores, eventsOf })
      if (json === true) {
        process.stdout.write(`${JSON.stringify(report)}\n`)
        return
      }
      const { terminationTables } = await import('../report/termination-tables.ts')
      const { renderTables } = await import('../report/terminal.ts')
      const columns = process.stdout.columns ?? 120
      process.stdout.write(renderTables(terminationTables(report), { columns }))
    })
}
