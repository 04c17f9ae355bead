import { once } from 'node:events'
import type { RegisterCommand } from './command.ts'

export const registerView: RegisterCommand = command => {
  command
    .argument('<RUN>', "a run's folder")
    .option('--port <N>', 'on 127.0.0.1; 0: any free one', '0')
    .action(async (folder: string, { port }: { port: string }) => {
      const { flagValue } = await import('./flag-value.ts')
      const values = await import('../core/option-values.ts')
      await view(folder, flagValue('--port', values.port, port))
    })
}

/** Serves a run's report, its traces loaded as they are opened, until Ctrl-C. */
async function view(folder: string, port: number): Promise<void> {
  const { readReport } = await import('../run/report-run.ts')
  const { traceSource } = await import('../run/records/trace-source.ts')
  const { renderHtml } = await import('../report/html/html.ts')
  const { serveReport } = await import('../report/html/view-server.ts')
  const loaded = await readReport(folder)
  const traces = traceSource(folder)
  const html = await renderHtml({ ...loaded, traces, inlineTraceChars: 0 })
  const attemptIds = loaded.records.attempts.map(attempt => attempt.attemptId)
  const server = await serveReport({ html, attemptIds, traces, port })
  process.stdout.write(`${server.url}  (Ctrl-C ends it)\n`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await server.close()
}
