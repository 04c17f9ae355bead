import { answersFromMemory, answersFromWeb } from '../../../agents/registry.ts'
import type { SettingOutcome } from '../../../agents/setting.ts'
import type { RunConfig } from '../../config.ts'
import { type Attempt, type Discovery, isUnscoredCause, type Retrieval } from '../../core/attempt.ts'
import type { OnlineControl } from '../../core/controls.ts'
import type { ContextDocument } from '../../core/document.ts'
import { itemsOf, type Score } from '../../core/score.ts'
import type { Task } from '../../core/task.ts'
import { type AttemptSight, classedItems, shownAfterCut } from '../../evidence/attempt-views.ts'
import { knownTexts, measureDiscovery, shownDocuments } from '../../evidence/discovery.ts'
import { createDocumentComparer } from '../../evidence/fingerprint.ts'
import { correctEvidence } from '../../evidence/gold-evidence.ts'
import { ledgerAnswerOf } from '../../evidence/ledger-answer.ts'
import type { ItemEvidence } from '../../evidence/matcher.ts'
import { observedAnswers } from '../../evidence/observed.ts'
import { measureRetrieval } from '../../evidence/retrieval-measures.ts'
import { type DiscoveryTarget, discoveryTargets } from '../../evidence/targets.ts'
import { createTextIndexes } from '../../evidence/text-index.ts'
import type { FailedFetch } from '../../evidence/tried-addresses.ts'
import { shownBefore } from '../attempt/controls/online-base.ts'
import type { ToldEvent } from '../attempt/watch.ts'
import { type PlannedAttempt, tableFormatOf } from '../plan/plan.ts'
import type { Checkpoint } from '../records/checkpoint.ts'
import { attemptSight, type SeenDocuments } from '../records/seen-documents.ts'
import type { RunResources } from '../resources/run-resources.ts'
import { evidenceOfTask } from '../resources/task-evidence.ts'
import { leaveUnscored, scoreByEach } from './score-answers.ts'

/** What an attempt left behind, from which it is scored and measured. */
export interface AttemptToMeasure {
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
  readonly cancelled: AbortSignal
}

/** The options that say how attempts are measured and scored. */
export type MeasureOptions = Pick<RunConfig, 'docs' | 'successAt'>

/** Kept over the attempts of a run, so that no document is indexed twice. */
export interface Measures {
  readonly options: MeasureOptions
  readonly comparer: ReturnType<typeof createDocumentComparer>
  readonly indexes: ReturnType<typeof createTextIndexes>
  /** Of chunks, apart from those of whole documents: they come and go by the hundred. */
  readonly chunkIndexes: ReturnType<typeof createTextIndexes>
}

const chunkChars = 10_000_000

export function createMeasures(options: MeasureOptions): Measures {
  return {
    options,
    comparer: createDocumentComparer(),
    indexes: createTextIndexes(),
    chunkIndexes: createTextIndexes(chunkChars),
  }
}

/** Scores an attempt that is over and takes the measures that need gold. */
export async function measureAttempt(
  attempt: Attempt,
  toMeasure: AttemptToMeasure,
  resources: RunResources,
  measures: Measures,
): Promise<{ attempt: Attempt; scores: Score[] }> {
  const { outcome, task, control, contextTokens, seen, tableFormat } = toMeasure
  // Before the scores: documents that cannot be loaded must not cost calls of the judge.
  const documents = await knownDocuments(task, resources, { ...measures.options, tableFormat })
  const scores = await scoresOf(attempt, toMeasure, resources, measures.options)
  const evidence = evidenceOfTask(task, attempt.setting)
  const targets =
    answersFromWeb(attempt.setting) && control === null ? targetsOf(task, documents, resources) : null
  const measured: Attempt = {
    ...attempt,
    ...(evidence === null ? { evidence: null } : {}),
    discovery:
      targets === null || evidence === null
        ? null
        : discoveryOf(targets, toMeasure, { scores, evidence }, { resources, measures }),
    retrieval: retrievalOf({ outcome, contextTokens, documents: documents ?? [], evidence, measures }),
  }
  return {
    attempt: measured,
    scores: scores.map(score =>
      withClasses(score, { attempt: measured, task, seen, indexes: measures.indexes }),
    ),
  }
}

/** The attempt as it is, unscored because of its termination: no scorer is asked and no document is loaded. */
export async function leaveUnmeasured(
  attempt: Attempt,
  toMeasure: AttemptToMeasure,
  resources: RunResources,
  { options }: Pick<Measures, 'options'>,
): Promise<{ attempt: Attempt; scores: Score[] }> {
  const isUnknown = evidenceOfTask(toMeasure.task, attempt.setting) === null
  const scores = await scoresOf(attempt, toMeasure, resources, options)
  return { attempt: isUnknown ? { ...attempt, evidence: null } : attempt, scores }
}

async function scoresOf(
  attempt: Attempt,
  { outcome, task, infrastructureFailures, checkpoints, cancelled }: AttemptToMeasure,
  resources: RunResources,
  { successAt }: Pick<MeasureOptions, 'successAt'>,
): Promise<Score[]> {
  const { judge, clock, blobs, withoutSecrets } = resources
  return await scoreByEach(
    resources.scorers,
    { attempt, task, judge, clock, infrastructureFailures, successAt },
    { answers: outcome, checkpoints, blob: blobs.get },
    (error, toScore) => leaveUnscored(error, toScore, { cancelled, withoutSecrets }),
  )
}

function targetsOf(
  { evidence }: Task,
  documents: readonly ContextDocument[] | null,
  { web }: RunResources,
): readonly DiscoveryTarget[] | null {
  return discoveryTargets(evidence, documents, web?.entries ?? null)
}

/** What an attempt saw of its task's documents; null where it is not known, and where nothing is to be scored. */
export async function seenDocumentsOf(
  planned: PlannedAttempt,
  { outcome, told }: Pick<AttemptToMeasure, 'outcome' | 'told'>,
  resources: RunResources,
  { comparer, options }: Pick<Measures, 'comparer' | 'options'>,
): Promise<SeenDocuments | null> {
  const { task, setting, control } = planned
  const { cause } = outcome.termination
  const isNotNeeded = isUnscoredCause(cause) || task.evidence === null || answersFromMemory(setting)
  if (isNotNeeded) return null
  const tableFormat = tableFormatOf(planned)
  const documents = await knownDocuments(task, resources, { ...options, tableFormat })
  if (answersFromWeb(setting) && control === null) {
    const targets = targetsOf(task, documents, resources)
    return targets === null ? null : seenTargets(targets, told, resources, comparer)
  }
  if (documents === null) return null
  const whole = documents.map(({ hint, text }) => ({ hint, text }))
  if (control?.name === 'oracle-inject') {
    const put = shownAfterCut(whole, outcome.context).filter(({ text }) => text !== '')
    return { documents: whole, chunks: null, shown: [...(await shownBefore(control, resources)), ...put] }
  }
  return { documents: whole, chunks: setting === 'rag' ? (outcome.chunks ?? []) : null, shown: null }
}

/** What tools showed of what discovery looks for. */
function seenTargets(
  targets: readonly DiscoveryTarget[],
  told: readonly ToldEvent[],
  { blobs, web }: RunResources,
  comparer: Measures['comparer'],
): SeenDocuments {
  const textOf = (hash: string): string => blobs.get(hash)
  const answers = observedAnswers(told, textOf)
  const input = { targets, answers, textOf, webMap: web?.entries ?? null, comparer }
  return {
    documents: knownTexts(input),
    chunks: null,
    shown: shownDocuments(input),
    toolTexts: () => answers.map(({ text }) => text),
  }
}

/** What decides the classes of an attempt's items. */
export interface ClassedAttempt {
  readonly attempt: Attempt
  readonly task: Task
  /** Null where it is not known. */
  readonly seen: SeenDocuments | null
  readonly indexes: Measures['indexes']
}

/** The score with the class of every item: CONTRACT, Loss ledger. */
export function withClasses(score: Score, { attempt, task, seen, indexes }: ClassedAttempt): Score {
  if (itemsOf(score).length === 0) return score
  const { answer, termination } = attempt
  const classed = classedItems(score, sightOf(attempt, seen), {
    evidence: evidenceOfTask(task, attempt.setting),
    documents: seen?.documents ?? null,
    answer: ledgerAnswerOf(answer, score),
    cause: termination.cause,
    indexes,
  })
  const { unseenItems: _, ...rest } = score
  return { ...rest, ...classed }
}

/** What an attempt saw; null where it is not known. */
function sightOf(attempt: Attempt, seen: SeenDocuments | null): AttemptSight | null {
  if (answersFromMemory(attempt.setting)) return { kind: 'nothing' }
  return seen === null ? null : attemptSight(attempt, seen)
}

/** The task's documents as far as the run has them: without --docs, only where every one stands in the record. */
export async function knownDocuments(
  task: Task,
  resources: Pick<RunResources, 'documents'>,
  { docs, tableFormat }: Pick<MeasureOptions, 'docs'> & { readonly tableFormat?: string | undefined },
): Promise<readonly ContextDocument[] | null> {
  const allSupplied = task.documents.every(({ load }) => load !== undefined)
  return docs !== null || allSupplied ? await resources.documents(task, tableFormat) : null
}

/** What a search led to. Which values were used is unknown where every scorer failed. */
function discoveryOf(
  targets: readonly DiscoveryTarget[],
  { told, failedFetches }: Pick<AttemptToMeasure, 'told' | 'failedFetches'>,
  scored: { readonly scores: readonly Score[]; readonly evidence: readonly ItemEvidence[] },
  { resources, measures }: { readonly resources: RunResources; readonly measures: Measures },
): Discovery {
  const textOf = (hash: string): string => resources.blobs.get(hash)
  const score = scored.scores.find(({ cause }) => cause !== 'scorer')
  const discovery = measureDiscovery({
    targets,
    answers: observedAnswers(told, textOf),
    failedFetches,
    textOf,
    webMap: resources.web?.entries ?? null,
    correctItems: score === undefined ? [] : correctEvidence(scored.evidence, score),
    ...measures,
  })
  if (score !== undefined) return discovery
  return { ...discovery, recall: { ...discovery.recall, used: null } }
}

/** A ranking that is deeper than what fills a context of given size counts as deep as the published one. */
const rankingDepth = 250

interface RetrievedAttempt extends Pick<AttemptToMeasure, 'outcome' | 'contextTokens'> {
  readonly documents: readonly ContextDocument[]
  readonly evidence: readonly ItemEvidence[] | null
  readonly measures: Measures
}

function retrievalOf(made: RetrievedAttempt): Retrieval | null {
  const { outcome, contextTokens, documents, evidence } = made
  const { indexes, chunkIndexes } = made.measures
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
