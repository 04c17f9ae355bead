import type { Trace } from '../../../../logs/writer.ts'
import type { PlannedAttempt } from '../../plan/plan.ts'

/** Makes OpenTelemetry spans of the events of attempts' traces. */
export interface Spans {
  /** The same trace; what is written to it makes the attempt's spans. */
  watch(trace: Trace, planned: PlannedAttempt): Trace
  /** Sends what is left, for a few seconds at the most. */
  close(): Promise<void>
}

/** Nobody asked for spans. */
export const noSpans: Spans = {
  watch: trace => trace,
  close: async () => undefined,
}
