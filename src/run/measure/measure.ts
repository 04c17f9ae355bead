import { answersFromMemory, answersFromWeb } from '../../../agents/registry.ts'
import type { SettingOutcome } from '../../../agents/setting.ts'
import { type Attempt, type Discovery, isUnscoredCause, type Retrieval } from '../../core/attempt.ts'
import type { OnlineControl } from '../../core/controls.ts'
import type { ContextDocument } from '../../core/document.ts'
import type { Score } from '../../core/score.ts'
import { documentNamesOf, type Task } from '../../core/task.ts'
import { type AttemptSight, classedCells, shownAfterCut } from '../../evidence/attempt-views.ts'
import { measureDiscovery, shownDocuments } from '../../evidence/discovery.ts'
import { createDocumentComparer } from '../../evidence/fingerprint.ts'
import { correctEvidence, evidenceOfGold } from '../../evidence/gold-evidence.ts'
import type { CellEvidence } from '../../evidence/matcher.ts'
import { observedAnswers } from '../../evidence/observed.ts'
import { measureRetrieval } from '../../evidence/retrieval-measures.ts'
import { createTextIndexes } from '../../evidence/text-index.ts'
import type { FailedFetch } from '../../evidence/tried-addresses.ts'
import { scoreAttempt } from '../../score/score-attempt.ts'
import { shownBefore } from '../attempt/controls/online-base.ts'
import type { ToldEvent } from '../attempt/watch.ts'
import { scorersFor } from '../plan/choose-scorers.ts'
import { type PlannedAttempt, tableFormatOf } from '../plan/plan.ts'
import { textOfEachTurn } from '../records/answer-files.ts'
import type { Checkpoint } from '../records/checkpoint.ts'
import { attemptSight, type SeenDocuments } from '../records/seen-documents.ts'
import type { RunResources } from '../resources/run-resources.ts'
import { withCheckpoints } from './score-checkpoints.ts'

/** What an attempt left behind. */
export interface AttemptYield {
  readonly outcome: SettingOutcome
  readonly task: Task
  readonly control: OnlineControl | null
  readonly told: readonly ToldEvent[]
  readonly failedFetches: readonly FailedFetch[]
  readonly infrastructureFailures: number
  /** rag: the size of context that stands in for the retriever's limits; null: none does. */
  readonly contextTokens: number | null
  /** Null where the task's documents are not known, and where nothing is to be scored. */
  readonly seen: SeenDocuments | null
  readonly checkpoints: readonly Checkpoint[]
  /** Of documents that are tables; undefined: the run's first. */
  readonly tableFormat: string | undefined
}

/** Kept over the attempts of a run, so that no document is indexed twice. */
export interface Measures {
  readonly comparer: ReturnType<typeof createDocumentComparer>
  readonly indexes: ReturnType<typeof createTextIndexes>
  /** Of chunks, apart from those of whole documents: they come and go by the hundred. */
  readonly chunkIndexes: ReturnType<typeof createTextIndexes>
}

const chunkChars = 10_000_000

export function createMeasures(): Measures {
  return {
    comparer: createDocumentComparer(),
    indexes: createTextIndexes(),
    chunkIndexes: createTextIndexes(chunkChars),
  }
}

/** Scores an attempt and takes the measures that need gold; the model under test is long done. */
export async function measureAttempt(
  attempt: Attempt,
  attemptYield: AttemptYield,
  resources: RunResources,
  measures: Measures,
): Promise<{ attempt: Attempt; scores: Score[] }> {
  const { outcome, task, control, infrastructureFailures, contextTokens, seen, checkpoints } = attemptYield
  const { tableFormat } = attemptYield
  const scores: Score[] = []
  for (const scorer of scorersFor(resources.scorers, task.gold)) {
    const toScore = {
      attempt,
      task,
      scorer,
      judge: resources.judge,
      clock: resources.clock,
      infrastructureFailures,
      successAt: resources.config.successAt,
    }
    const score = await scoreAttempt({ ...toScore, answers: textOfEachTurn(outcome) })
    scores.push(await withCheckpoints(score, toScore, checkpoints, resources.blobs.get))
  }
  const documents = await knownDocuments(task, resources, tableFormat)
  const evidence = evidenceOfGold(task.gold, documentNamesOf(task))
  const measured: Attempt = {
    ...attempt,
    discovery:
      answersFromWeb(attempt.setting) && control === null && documents !== null
        ? discoveryOf(documents, attemptYield, correctEvidence(evidence, scores[0]!), { resources, measures })
        : null,
    retrieval: retrievalOf(outcome, contextTokens, documents ?? [], evidence, measures),
  }
  return {
    attempt: measured,
    scores: scores.map(score => withClasses(score, measured, task, seen, measures.indexes)),
  }
}

/** What an attempt saw of its task's documents; null where it is not known, and where nothing is to be scored. */
export async function seenDocumentsOf(
  planned: PlannedAttempt,
  outcome: SettingOutcome,
  told: readonly ToldEvent[],
  resources: RunResources,
  { comparer }: Pick<Measures, 'comparer'>,
): Promise<SeenDocuments | null> {
  const { task, setting, control } = planned
  const { cause } = outcome.termination
  if (isUnscoredCause(cause) || answersFromMemory(setting)) return null
  const documents = await knownDocuments(task, resources, tableFormatOf(planned))
  if (documents === null) return null
  const textOf = (hash: string): string => resources.blobs.get(hash)
  const webMap = resources.web?.entries ?? null
  const whole = documents.map(({ hint, text }) => ({ hint, text }))
  if (control?.name === 'oracle-inject') {
    const put = shownAfterCut(whole, outcome.context).filter(({ text }) => text !== '')
    return { documents: whole, chunks: null, shown: [...(await shownBefore(control, resources)), ...put] }
  }
  return {
    documents: whole,
    chunks: setting === 'rag' ? (outcome.chunks ?? []) : null,
    shown: answersFromWeb(setting)
      ? shownDocuments({
          targets: documents,
          answers: observedAnswers(told, textOf),
          textOf,
          webMap,
          comparer,
        })
      : null,
  }
}

/** The score with the class of every cell: CONTRACT, Loss ledger. */
export function withClasses(
  score: Score,
  attempt: Attempt,
  task: Task,
  seen: SeenDocuments | null,
  indexes: Measures['indexes'],
): Score {
  if (score.cells.length === 0) return score
  const cells = classedCells(sightOf(attempt, seen), {
    cells: score.cells,
    evidence: evidenceOfGold(task.gold, documentNamesOf(task)),
    documents: seen?.documents ?? null,
    answer: attempt.answer,
    cause: attempt.termination.cause,
    indexes,
  })
  return { ...score, cells }
}

/** What an attempt saw; null where it is not known. */
function sightOf(attempt: Attempt, seen: SeenDocuments | null): AttemptSight | null {
  if (answersFromMemory(attempt.setting)) return { kind: 'nothing' }
  return seen === null ? null : attemptSight(attempt, seen)
}

/** The task's documents as far as the run has them: without --docs, only where every one stands in the record. */
export async function knownDocuments(
  task: Task,
  resources: RunResources,
  tableFormat?: string,
): Promise<readonly ContextDocument[] | null> {
  const allSupplied = task.documents.every(({ load }) => load !== undefined)
  return resources.config.docs !== null || allSupplied ? await resources.documents(task, tableFormat) : null
}

function discoveryOf(
  documents: readonly ContextDocument[],
  { told, failedFetches }: Pick<AttemptYield, 'told' | 'failedFetches'>,
  correct: readonly CellEvidence[],
  { resources, measures }: { readonly resources: RunResources; readonly measures: Measures },
): Discovery {
  const textOf = (hash: string): string => resources.blobs.get(hash)
  return measureDiscovery({
    targets: documents,
    answers: observedAnswers(told, textOf),
    failedFetches,
    textOf,
    webMap: resources.web?.entries ?? null,
    correctCells: correct,
    ...measures,
  })
}

/** A ranking that is deeper than what fills a context of given size counts as deep as the published one. */
const rankingDepth = 250

function retrievalOf(
  outcome: SettingOutcome,
  contextTokens: number | null,
  documents: readonly ContextDocument[],
  evidence: readonly CellEvidence[],
  { indexes, chunkIndexes }: Measures,
): Retrieval | null {
  const { chunks, retrieval, retrieved = chunks } = outcome
  if (retrieval === null || chunks === null || retrieved === null) return null
  const sized = contextTokens !== null
  const ranking = sized ? retrieved.slice(0, Math.max(rankingDepth, chunks.length)) : retrieved
  return {
    ...retrieval,
    ...measureRetrieval({
      documents,
      chunks,
      ranking,
      retrieved: sized ? chunks : retrieved,
      evidence,
      indexes,
      chunkIndexes,
    }),
  }
}
