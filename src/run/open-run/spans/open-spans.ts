import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Trace } from '../../../../logs/writer.ts'
import type { Clock } from '../../../core/runtime.ts'
import { packageVersion } from '../../../system/paths.ts'
import type { PlannedAttempt } from '../../plan/plan.ts'

/** The timeout of a request to the collector, and of sending the rest when a run ends. */
const longestWaitMs = 3_000
const maxQueued = 8_192

/** Makes OpenTelemetry spans from the events of traces. */
export interface Spans {
  /** Wraps a trace: events that are written to it also become spans of the attempt. */
  watch(trace: Trace, planned: PlannedAttempt): Trace
  /** Sends the remaining spans, for a few seconds at most. */
  close(): Promise<void>
}

/** Makes no spans. */
export const noSpans: Spans = {
  watch: trace => trace,
  close: async () => undefined,
}

/** What opening spans needs. */
export interface SpanOptions {
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  /** Receives one line when the collector cannot be reached. */
  tell(line: string): void
}

/**
 * Opens spans for the collector that OTEL_EXPORTER_OTLP_ENDPOINT names (OTLP over HTTP). Without the variable there are no
 * spans, and OpenTelemetry is not loaded. An unreachable or slow collector loses spans and never affects attempts.
 */
export async function openSpans(options: SpanOptions): Promise<Spans> {
  const { env, clock, tell } = options
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? ''
  if (base === '' || env.OTEL_SDK_DISABLED === 'true') return noSpans
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? `${base.replace(/\/+$/, '')}/v1/traces`
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    tell('spans: OTEL_EXPORTER_OTLP_ENDPOINT is not an http(s) URL, so no spans are sent')
    return noSpans
  }
  let told = false
  const provider = await openProvider(url, clock, problem => {
    if (!told)
      tell(`spans: ${new URL(url).host} does not accept them (${problem}); the run continues without spans`)
    told = true
  })
  const { AttemptSpans } = await import('./attempt-spans.ts')
  const tracer = provider.getTracer('tablehunt', packageVersion)
  return {
    watch(trace, planned) {
      const spans = new AttemptSpans(tracer, planned)
      return {
        emit(step, body, atMs = clock.now()) {
          spans.event(atMs, step, body)
          trace.emit(step, body, atMs)
        },
        async close() {
          spans.close(clock.now())
          await trace.close()
        },
      }
    },
    close: () => provider.close(),
  }
}

async function openProvider(url: string, clock: Clock, tell: (problem: string) => void) {
  const sdk = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const resources = await import('@opentelemetry/resources')
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: longestWaitMs })
  const processor = new sdk.BatchSpanProcessor({
    exporter: makePausingExporter(exporter, clock, tell),
    scheduledDelayMillis: 1_000,
    exportTimeoutMillis: longestWaitMs,
    maxQueueSize: maxQueued,
  })
  const packageAttributes = { 'service.name': 'tablehunt', 'service.version': packageVersion }
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes(packageAttributes))
    .merge(resources.detectResources({ detectors: [resources.envDetector] }))
  const provider = new sdk.TracerProvider({ resource, spanProcessors: [processor] })
  return {
    getTracer: (name: string, version: string) => provider.getTracer(name, version),
    /** Waits a limited time for the last spans. */
    async close() {
      const over = new AbortController()
      // The exporter has reported failures.
      const ended = provider.shutdown().catch(() => undefined)
      const late = clock.sleep(longestWaitMs, over.signal).then(
        () => tell(`no answer within ${longestWaitMs / 1000} s`),
        () => undefined,
      )
      await Promise.race([ended, late])
      over.abort()
    },
  }
}

/** The pause after a failure. An unreachable collector does not slow a run, and one that is back is soon found. */
const pauseMs = 30_000

type SpanExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0]

/** Wraps an exporter: after a failure it drops spans for half a minute, then tries again. Reports each failure. */
function makePausingExporter(
  inner: SpanExporter,
  clock: Clock,
  tell: (problem: string) => void,
): SpanExporter {
  let pausedUntil = 0
  return {
    export(spans: ReadableSpan[], report: (result: SpanExportResult) => void) {
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
