import { answersFromMemory, settings } from '../../../agents/registry.ts'
import { readStoredText } from '../../../logs/blobs.ts'
import type { ContextDocument } from '../../core/document.ts'
import { isUnscoredCause } from '../../core/termination.ts'
import { shownAfterCut } from '../../evidence/attempt-views.ts'
import { knownTexts, shownDocuments } from '../../evidence/discovery.ts'
import type { DocumentComparer } from '../../evidence/fingerprint.ts'
import { evidenceDocument } from '../../evidence/matcher.ts'
import { observedAnswers } from '../../evidence/observed.ts'
import type { DiscoveryTarget } from '../../evidence/targets.ts'
import type { RunResources } from '../open-run/open-resources.ts'
import type { SeenDocuments } from '../records/seen-documents.ts'
import type { EndedAttempt } from './attempt-record.ts'
import { readShownBefore } from './controls/online-base.ts'

/** What is known of the documents of an attempt's task. */
interface TaskSources {
  /** Null when the run does not have the documents. */
  readonly documents: readonly ContextDocument[] | null
  /** The targets of a search; null for an attempt that does not search, and when they are unknown. */
  readonly targets: readonly DiscoveryTarget[] | null
}

/** Returns the documents that an attempt saw; null when unknown, and when nothing is scored. */
export async function findSeenDocuments(
  { planned, outcome, watch }: EndedAttempt,
  { documents, targets }: TaskSources,
  resources: RunResources,
  comparer: DocumentComparer,
): Promise<SeenDocuments | null> {
  const { task, setting, control } = planned
  const { needs, source } = settings.get(setting)
  const isNotNeeded =
    isUnscoredCause(outcome.termination.cause) || task.evidence === null || answersFromMemory(setting)
  // A setting that reads the documents by queries shows only their results.
  if (isNotNeeded || needs !== undefined) return null
  const { blobs, web } = resources
  if (source === 'web' && control === null) {
    if (targets === null) return null
    const answers = observedAnswers(watch.toolResults, blobs.get)
    const input = { targets, answers, textOf: blobs.get, webMap: web?.entries ?? null, comparer }
    return {
      documents: knownTexts(input),
      chunks: null,
      shown: shownDocuments(input),
      toolTexts: () => answers.map(({ text }) => text),
      atAnswer: () => watch.lastRequest.texts(stored => readStoredText(stored, blobs)),
    }
  }
  if (documents === null) return null
  const whole = documents.map(evidenceDocument)
  if (control?.name === 'oracle-inject') {
    const put = shownAfterCut(whole, outcome.context).filter(({ text }) => text !== '')
    return { documents: whole, chunks: null, shown: [...(await readShownBefore(control, resources)), ...put] }
  }
  return { documents: whole, chunks: setting === 'rag' ? (outcome.chunks ?? []) : null, shown: null }
}
