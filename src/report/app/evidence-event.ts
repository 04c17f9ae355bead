import type { PlacedEvidence } from '../../core/scored-item.ts'
import type { TraceStep } from '../trace/trace-steps.ts'

/**
 * Finds the event of a trace that shows what happened to an item's evidence: where it was shown or cut, or where the
 * attempt came closest to it.
 *
 * @param address the address of the document, as far as the attempt found it; null when unknown
 * @returns null when the trace has no such event
 */
export function findEvidenceEvent(
  steps: readonly TraceStep[],
  evidence: PlacedEvidence,
  address: string | null,
): TraceStep | null {
  const { state, step, result } = evidence
  const shownAt = steps.findIndex(
    traceStep =>
      traceStep.step === step &&
      (result === undefined ? traceStep.type === 'model-called' : traceStep.result === result),
  )
  const isCut = ({ type, cutSteps = [] }: TraceStep): boolean =>
    type === 'context-cut' && (cutSteps.length === 0 || cutSteps.includes(step ?? -1))
  const cut = state === 'cut' ? steps.find(isCut) : undefined
  if (cut !== undefined) return cut
  const shown = steps[shownAt]
  if (state !== 'missed' || result !== undefined) return shown ?? null
  const refused = steps.find(({ type }) => type === 'budget-refused')
  return findNearestSearch(steps, evidence, nameSought(evidence, address)) ?? shown ?? refused ?? null
}

/** What names a document that the model was not shown: its address, else its name without an extension. */
export function nameSought({ document }: PlacedEvidence, address: string | null): string {
  return address ?? document.replace(/\.[a-z]+$/i, '')
}

/** The search or page event of the turn that came closest: the first that names the document. */
function findNearestSearch(
  steps: readonly TraceStep[],
  { step }: PlacedEvidence,
  name: string,
): TraceStep | undefined {
  const isAnswer = ({ kind, type }: TraceStep): boolean =>
    (kind === 'search' || kind === 'fetch') && type !== 'tool-called'
  const answers = steps.filter(answer => isAnswer(answer) && (step === null || answer.step === step))
  return answers.find(answer => answer.blocks.some(({ text }) => text.includes(name))) ?? answers[0]
}
