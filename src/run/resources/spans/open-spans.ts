import type { Clock } from '../../../core/runtime.ts'
import { packageVersion } from '../../../system/paths.ts'
import { noSpans, type Spans } from './spans.ts'

/** For one request to the collector, and for all that is left when a run ends. */
const longestWaitMs = 3_000
const mostWaiting = 8_192

export interface SpanOptions {
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  /** Told once when the collector can't be reached. */
  tell(line: string): void
}

/**
 * Spans for the collector that OTEL_EXPORTER_OTLP_ENDPOINT names, by OTLP over HTTP; none, and nothing is loaded, where
 * it is not set. A collector that is down or slow costs spans, never an attempt.
 */
export async function openSpans(options: SpanOptions): Promise<Spans> {
  const { env, clock, tell } = options
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? ''
  if (base === '' || env.OTEL_SDK_DISABLED === 'true') return noSpans
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? `${base.replace(/\/+$/, '')}/v1/traces`
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    tell('spans: OTEL_EXPORTER_OTLP_ENDPOINT is no http(s) URL: none are sent')
    return noSpans
  }
  let told = false
  const provider = await openProvider(url, clock, problem => {
    if (!told) tell(`spans: ${new URL(url).host} takes none (${problem}): the run goes on without them`)
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
  const { pausingExporter } = await import('./pausing-exporter.ts')
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: longestWaitMs })
  const processor = new sdk.BatchSpanProcessor({
    exporter: pausingExporter(exporter, clock, tell),
    scheduledDelayMillis: 1_000,
    exportTimeoutMillis: longestWaitMs,
    maxQueueSize: mostWaiting,
  })
  const own = { 'service.name': 'tablehunt', 'service.version': packageVersion }
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes(own))
    .merge(resources.detectResources({ detectors: [resources.envDetector] }))
  const provider = new sdk.TracerProvider({ resource, spanProcessors: [processor] })
  return {
    getTracer: (name: string, version: string) => provider.getTracer(name, version),
    /** Waits for what is under way, but not for long. */
    async close() {
      const over = new AbortController()
      // What could not be sent has been told by the exporter.
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
