import { answersFromMemory } from '../../../agents/registry.ts'
import type { BlobStore } from '../../../logs/blobs.ts'
import type { Attempt } from '../../core/attempt.ts'
import type { Discovery } from '../../core/discovery.ts'
import type { ContextDocument } from '../../core/document.ts'
import { systemClock } from '../../core/runtime.ts'
import type { Score } from '../../core/score.ts'
import type { Task } from '../../core/task.ts'
import { type DiscoveryInput, measureDiscovery } from '../../evidence/discovery.ts'
import { createDocumentComparer, type DocumentComparer } from '../../evidence/fingerprint.ts'
import { listCorrectEvidence } from '../../evidence/gold-evidence.ts'
import { identifyDocuments } from '../../evidence/log-documents.ts'
import { listObservedAnswers } from '../../evidence/observed.ts'
import { listDiscoveryTargets } from '../../evidence/targets.ts'
import { createTextIndexes } from '../../evidence/text-index.ts'
import type { Judge } from '../../score/contract/judge.ts'
import { withLossClass } from '../attempt/loss-class.ts'
import { scoreAnswers } from '../attempt/score-answers.ts'
import { findTaskEvidence } from '../open-run/task-evidence.ts'
import { listSeenOnWeb, type SeenDocuments } from '../records/seen-documents.ts'
import type { ForeignSight } from './import-trace.ts'

/** What imported attempts are scored and measured with. */
export interface ImportScoring {
  readonly scorers: readonly string[]
  readonly judge: Judge
  readonly successAt: number | null
  /** Loads a task's documents; null when the import does not have them. */
  documentsOf(task: Task): Promise<readonly ContextDocument[] | null>
}

/** An imported attempt with its task, its answer and what its tools showed. */
export interface AttemptOfLog {
  readonly attempt: Attempt
  readonly task: Task
  readonly answerText: string | null
  readonly sight: ForeignSight
}

/** The records of a measured attempt. `seenDocuments` is null when the log does not show what the agent saw. */
export interface MeasuredImport {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
  readonly seenDocuments: SeenDocuments | null
}

/** Creates a function that scores imported attempts and measures what the agents found, as far as their logs show it. */
export function importMeasurer(
  scoring: ImportScoring,
  blobs: BlobStore,
): (attemptOfLog: AttemptOfLog) => Promise<MeasuredImport> {
  const comparer = createDocumentComparer()
  const indexes = createTextIndexes()
  const { scorers, judge, successAt } = scoring
  return async attemptOfLog => {
    const { attempt, task, answerText } = attemptOfLog
    const documents = await scoring.documentsOf(task)
    const scores = await scoreAnswers({
      scorers,
      attempt,
      task,
      judge,
      clock: systemClock,
      infrastructureFailures: 0,
      successAt,
      answers: { answerText },
      checkpoints: [],
      blob: blobs.get,
    })
    const evidence = findTaskEvidence(task, attempt.setting)
    const input = makeDiscoveryInput(attemptOfLog, documents, comparer, blobs)
    const [score] = scores
    const correctItems = evidence === null || score === undefined ? [] : listCorrectEvidence(evidence, score)
    const discovery: Discovery | null =
      input === null || evidence === null ? null : measureDiscovery({ ...input, correctItems, indexes })
    const measured: Attempt = { ...attempt, ...(evidence === null ? { evidence: null } : {}), discovery }
    const seenDocuments: SeenDocuments | null =
      input === null || evidence === null ? null : listSeenOnWeb(input)
    return {
      attempt: measured,
      scores: scores.map(score =>
        withLossClass(score, { attempt: measured, evidence, seenDocuments, indexes }),
      ),
      seenDocuments,
    }
  }
}

/**
 * Returns what discovery is measured from; null when the log does not show it: it has no result of a tool, or the
 * documents are unknown.
 */
function makeDiscoveryInput(
  { attempt, task, sight }: AttemptOfLog,
  documents: readonly ContextDocument[] | null,
  comparer: DocumentComparer,
  blobs: BlobStore,
): Omit<DiscoveryInput, 'correctItems' | 'indexes'> | null {
  if (sight.toolResults.length === 0 || answersFromMemory(attempt.setting)) return null
  const targets = listDiscoveryTargets(task.evidence, documents, null)
  if (targets === null) return null
  const textOf = blobs.get
  const answers = listObservedAnswers(sight.toolResults, textOf)
  const identified = identifyDocuments(targets, answers, { comparer, textOf })
  return { ...identified, failedFetches: sight.failedFetches, textOf, webMap: null, comparer }
}
