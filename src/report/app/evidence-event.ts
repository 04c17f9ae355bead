import type { PlacedEvidence } from '../../core/score.ts'
import type { TraceStep } from '../trace/trace-steps.ts'

/**
 * Finds the event of a trace that shows what happened to an item's evidence: where it was shown or cut, or where the
 * attempt came closest to it.
 *
 * @returns null when the trace has no such event
 */
export function eventOfEvidence(steps: readonly TraceStep[], evidence: PlacedEvidence): TraceStep | null {
  const { state, step, result } = evidence
  const shownAt = steps.findIndex(
    one => one.step === step && (result === undefined ? one.type === 'model-called' : one.result === result),
  )
  const isCut = ({ type, cutSteps = [] }: TraceStep): boolean =>
    type === 'context-cut' && (cutSteps.length === 0 || cutSteps.includes(step ?? -1))
  const cut = state === 'cut' ? steps.find(isCut) : undefined
  if (cut !== undefined) return cut
  if (state === 'missed' && result === undefined)
    return nearestSearch(steps, evidence) ?? steps[shownAt] ?? null
  return steps[shownAt] ?? null
}

/** The search or page event of the turn that came closest, the one that names the document first. */
function nearestSearch(
  steps: readonly TraceStep[],
  { step, document }: PlacedEvidence,
): TraceStep | undefined {
  const isWeb = ({ kind }: TraceStep): boolean => kind === 'search' || kind === 'fetch'
  const answered = steps.filter(one => isWeb(one) && one.type !== 'tool-called')
  const own = answered.filter(one => step === null || one.step === step)
  const stem = document.replace(/\.[a-z]+$/i, '')
  return own.find(one => one.blocks.some(({ text }) => text.includes(stem))) ?? own[0]
}
