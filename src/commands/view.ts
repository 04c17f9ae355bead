import { once } from 'node:events'
import type { RegisterCommand } from './command.ts'

/** Registers `view`. */
export const registerView: RegisterCommand = command => {
  command
    .argument('<RUN>', 'the folder of a run')
    .option('--port <N>', 'port on 127.0.0.1; 0 chooses a free one', '0')
    .action(async (folder: string, { port }: { port: string }) => {
      const { flagValue } = await import('./flag-value.ts')
      const values = await import('../core/option-values.ts')
      await view(folder, flagValue('--port', values.port, port))
    })
}

/** Serves the report of a run until Ctrl-C. Each trace is loaded when it is opened. */
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
  process.stdout.write(`${server.url}  (stop with Ctrl-C)\n`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await server.close()
}
