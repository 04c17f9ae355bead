import type { SettingOutcome } from '../../agents/setting.ts'
import type { EventBody } from '../../logs/events.ts'
import type { Attempt, Discovery, Retrieval } from '../core/attempt.ts'
import type { ContextDocument } from '../core/document.ts'
import type { Score } from '../core/score.ts'
import type { Task } from '../core/task.ts'
import { measureDiscovery } from '../evidence/discovery.ts'
import { createDocumentComparer } from '../evidence/fingerprint.ts'
import { type CellEvidence, evidenceOfTable } from '../evidence/matcher.ts'
import { observedAnswers } from '../evidence/observed.ts'
import { measureRetrieval } from '../evidence/retrieval-measures.ts'
import { createTextIndexes } from '../evidence/text-index.ts'
import { scoreAttempt } from '../score/score-attempt.ts'
import type { RunGrounds } from './grounds.ts'

/** What a trace says of an attempt, kept while it runs so that no file is read back. */
export type ToldEvent = { readonly step: number } & Extract<EventBody, { type: 'tool-answered' }>

/** What an attempt left behind. */
export interface AttemptYield {
  readonly outcome: SettingOutcome
  readonly task: Task
  readonly told: readonly ToldEvent[]
  readonly infrastructureFailures: number
}

/** Kept over the attempts of a run, so that no document is indexed twice. */
export interface Measures {
  readonly comparer: ReturnType<typeof createDocumentComparer>
  readonly indexes: ReturnType<typeof createTextIndexes>
}

export function createMeasures(): Measures {
  return { comparer: createDocumentComparer(), indexes: createTextIndexes() }
}

/** Scores an attempt and takes the measures that need gold; the model under test is long done. */
export async function measureAttempt(
  attempt: Attempt,
  { outcome, task, told, infrastructureFailures }: AttemptYield,
  grounds: RunGrounds,
  measures: Measures,
): Promise<{ attempt: Attempt; scores: Score[] }> {
  const score = await scoreAttempt({
    attempt,
    answerText: outcome.answerText,
    gold: task.gold,
    language: task.question.language,
    profile: grounds.config.profile,
    judge: grounds.judge,
    infrastructureFailures,
  })
  const documents = await knownDocuments(task, grounds)
  const evidence = evidenceOfTable(task.gold, task.question.hints)
  const measured: Attempt = {
    ...attempt,
    discovery:
      attempt.setting === 'online' && documents !== null
        ? discoveryOf(documents, told, correctCells(evidence, score), grounds, measures)
        : null,
    retrieval: retrievalOf(outcome, documents ?? [], evidence, measures),
  }
  return { attempt: measured, scores: [score] }
}

/** The task's documents as far as the run has them: without --docs, only where every one stands in the record. */
export async function knownDocuments(
  task: Task,
  grounds: RunGrounds,
): Promise<readonly ContextDocument[] | null> {
  const embedded = new Set(task.embedded.map(document => document.hint))
  const allEmbedded = task.question.hints.every(hint => embedded.has(hint))
  return grounds.config.docs !== null || allEmbedded ? await grounds.documents(task) : null
}

function correctCells(evidence: readonly CellEvidence[], score: Score): CellEvidence[] {
  const correct = new Set(
    score.cells.filter(cell => cell.score === 1).map(cell => JSON.stringify([cell.goldRow, cell.column])),
  )
  return evidence.filter(cell => correct.has(JSON.stringify([cell.goldRow, cell.column])))
}

function discoveryOf(
  documents: readonly ContextDocument[],
  told: readonly ToldEvent[],
  correct: readonly CellEvidence[],
  grounds: RunGrounds,
  measures: Measures,
): Discovery {
  const textOf = (hash: string): string => grounds.blobs.get(hash)
  return measureDiscovery({
    targets: documents,
    answers: observedAnswers(told, textOf),
    textOf,
    webMap: grounds.web?.entries ?? null,
    correctCells: correct,
    ...measures,
  })
}

function retrievalOf(
  outcome: SettingOutcome,
  documents: readonly ContextDocument[],
  evidence: readonly CellEvidence[],
  { indexes }: Measures,
): Retrieval | null {
  if (outcome.retrieval === null || outcome.chunks === null) return null
  return {
    ...outcome.retrieval,
    ...measureRetrieval({ documents, chunks: outcome.chunks, evidence, indexes }),
  }
}
