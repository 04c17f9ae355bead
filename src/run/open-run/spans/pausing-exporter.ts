import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Clock } from '../../../core/runtime.ts'

/** The pause after a failure. An unreachable collector does not slow a run, and one that is back is soon found. */
const pauseMs = 30_000

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0]

/** Wraps an exporter: after a failure it drops spans for half a minute, then tries again. Reports each failure. */
export function pausingExporter(
  inner: SpanExporter,
  clock: Clock,
  tell: (problem: string) => void,
): SpanExporter {
  let pausedUntil = 0
  return {
    export(spans: ReadableSpan[], report: (result: ExportResult) => void) {
      if (clock.now() < pausedUntil) {
        report({ code: 1, error: new Error('paused after a failure') })
        return
      }
      inner.export(spans, result => {
        if (result.code !== 0) {
          pausedUntil = clock.now() + pauseMs
          tell(describeError(result.error))
        }
        report(result)
      })
    },
    forceFlush: () => inner.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => inner.shutdown(),
  }
}

function describeError(error: Error | undefined): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === undefined ? (error?.message ?? 'no reason given') : String(code)
}
