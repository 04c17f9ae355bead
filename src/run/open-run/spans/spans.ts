import type { Trace } from '../../../../logs/writer.ts'
import type { PlannedAttempt } from '../../plan/plan.ts'

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
