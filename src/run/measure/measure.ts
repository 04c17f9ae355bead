import { answersFromMemory, answersFromWeb, settings } from '../../../agents/registry.ts'
import type { SettingOutcome } from '../../../agents/setting.ts'
import { readStoredText } from '../../../logs/blobs.ts'
import type { RunConfig } from '../../config.ts'
import { type Attempt, type Discovery, isUnscoredCause, type Retrieval } from '../../core/attempt.ts'
import type { OnlineControl } from '../../core/controls.ts'
import type { ContextDocument } from '../../core/document.ts'
import { itemsOf, type Score, type ScoredCell, type ScoredItem } from '../../core/score.ts'
import type { Task } from '../../core/task.ts'
import { type AttemptView, shownAfterCut, withLossClasses } from '../../evidence/attempt-views.ts'
import { knownTexts, measureDiscovery, shownDocuments } from '../../evidence/discovery.ts'
import { createDocumentComparer } from '../../evidence/fingerprint.ts'
import { correctEvidence } from '../../evidence/gold-evidence.ts'
import { ledgerAnswerOf } from '../../evidence/ledger-answer.ts'
import { evidenceDocument, type ItemEvidence } from '../../evidence/matcher.ts'
import { observedAnswers } from '../../evidence/observed.ts'
import { evidencePlacer } from '../../evidence/placed-evidence.ts'
import { measureRetrieval } from '../../evidence/retrieval-measures.ts'
import { type DiscoveryTarget, discoveryTargets } from '../../evidence/targets.ts'
import { createTextIndexes } from '../../evidence/text-index.ts'
import type { FailedFetch } from '../../evidence/tried-addresses.ts'
import { readShownBefore } from '../attempt/controls/online-base.ts'
import type { AttemptWatch, ToolResult } from '../attempt/watch.ts'
import { type PlannedAttempt, tableFormatOf } from '../plan/plan.ts'
import type { Checkpoint } from '../records/checkpoint.ts'
import { attemptViewOf, type SeenDocuments } from '../records/seen-documents.ts'
import type { RunResources } from '../resources/run-resources.ts'
import { evidenceOfTask } from '../resources/task-evidence.ts'
import { leaveUnscored, scoreByEach } from './score-answers.ts'

/** What an attempt left behind, from which it is scored and measured. */
export interface AttemptToMeasure {
  readonly outcome: SettingOutcome
  readonly task: Task
  readonly control: OnlineControl | null
  readonly toolResults: readonly ToolResult[]
  readonly lastRequest: AttemptWatch['lastRequest']
  readonly failedFetches: readonly FailedFetch[]
  readonly infrastructureFailures: number
  /**
   * rag: the context size in tokens that replaces the retriever's limits; null for the retriever's limits.
   */
  readonly contextTokens: number | null
  /** Null when the task's documents are unknown, and when nothing is scored. */
  readonly seen: SeenDocuments | null
  readonly checkpoints: readonly Checkpoint[]
  /** The format of documents that are tables; undefined for the run's first. */
  readonly tableFormat: string | undefined
  readonly cancelled: AbortSignal
}

/** The options that decide how attempts are measured and scored. */
export type MeasureOptions = Pick<RunConfig, 'allowMissingDocuments' | 'docs' | 'successAt'>

/** Indexes shared by all attempts of a run, so that no document is indexed twice. */
export interface Measures {
  readonly options: MeasureOptions
  readonly comparer: ReturnType<typeof createDocumentComparer>
  readonly indexes: ReturnType<typeof createTextIndexes>
  /** Indexes of chunks. They are separate, because hundreds of chunks would displace the indexes of documents. */
  readonly chunkIndexes: ReturnType<typeof createTextIndexes>
}

const chunkChars = 10_000_000

/** Creates the indexes of a run. */
export function createMeasures(options: MeasureOptions): Measures {
  return {
    options,
    comparer: createDocumentComparer(),
    indexes: createTextIndexes(),
    chunkIndexes: createTextIndexes(chunkChars),
  }
}

/** Scores an ended attempt and computes the measures that need gold. */
export async function measureAttempt(
  attempt: Attempt,
  toMeasure: AttemptToMeasure,
  resources: RunResources,
  measures: Measures,
): Promise<{ attempt: Attempt; scores: Score[] }> {
  const { outcome, task, control, contextTokens, seen, tableFormat } = toMeasure
  // Documents are loaded before scoring, so that a failure causes no calls of the judge.
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

/** Returns an attempt without measures and with unscored scores. Asks no scorer and loads no documents. */
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
  { successAt, allowMissingDocuments }: Pick<MeasureOptions, 'allowMissingDocuments' | 'successAt'>,
): Promise<Score[]> {
  const { judge, clock, blobs, withoutSecrets } = resources
  return await scoreByEach(
    resources.scorers,
    { attempt, task, judge, clock, infrastructureFailures, successAt, allowMissingDocuments },
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

/** Returns the documents that an attempt saw; null when unknown, and when nothing is scored. */
export async function seenDocumentsOf(
  planned: PlannedAttempt,
  { outcome, toolResults, lastRequest }: Pick<AttemptToMeasure, 'outcome' | 'toolResults' | 'lastRequest'>,
  resources: RunResources,
  { comparer, options }: Pick<Measures, 'comparer' | 'options'>,
): Promise<SeenDocuments | null> {
  const { task, setting, control } = planned
  const { cause } = outcome.termination
  const isNotNeeded = isUnscoredCause(cause) || task.evidence === null || answersFromMemory(setting)
  // A setting that reads the documents by queries shows only their results.
  const isUnknown = settings.get(setting).needs !== undefined
  if (isNotNeeded || isUnknown) return null
  const tableFormat = tableFormatOf(planned)
  const documents = await knownDocuments(task, resources, { ...options, tableFormat })
  if (answersFromWeb(setting) && control === null) {
    const targets = targetsOf(task, documents, resources)
    if (targets === null) return null
    const { blobs } = resources
    return {
      ...seenTargets(targets, toolResults, resources, comparer),
      atAnswer: () => lastRequest.texts(stored => readStoredText(stored, blobs)),
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

/** Returns the parts of the discovery targets that tools showed. */
function seenTargets(
  targets: readonly DiscoveryTarget[],
  toolResults: readonly ToolResult[],
  { blobs, web }: RunResources,
  comparer: Measures['comparer'],
): SeenDocuments {
  const textOf = (hash: string): string => blobs.get(hash)
  const answers = observedAnswers(toolResults, textOf)
  const input = { targets, answers, textOf, webMap: web?.entries ?? null, comparer }
  return {
    documents: knownTexts(input),
    chunks: null,
    shown: shownDocuments(input),
    toolTexts: () => answers.map(({ text }) => text),
  }
}

/** An attempt with what decides the loss classes of its items. */
export interface ClassedAttempt {
  readonly attempt: Attempt
  readonly task: Task
  /** Null when unknown. */
  readonly seen: SeenDocuments | null
  readonly indexes: Measures['indexes']
}

/** Returns the score with the loss class of every item (docs/measures.md), and the line of a document that contains its value. */
export function withClasses(score: Score, { attempt, task, seen, indexes }: ClassedAttempt): Score {
  if (itemsOf(score).length === 0) return score
  const { answer, termination } = attempt
  const evidence = evidenceOfTask(task, attempt.setting)
  const view = sightOf(attempt, seen)
  const classed = withLossClasses(score, view, {
    evidence,
    documents: seen?.documents ?? null,
    answer: ledgerAnswerOf(answer, score),
    cause: termination.cause,
    indexes,
  })
  const { unseenItems: _, ...rest } = score
  if (evidence === null || seen === null || view === null) return { ...rest, ...classed }
  const isModelAsked = attempt.usage.modelCalls !== 0
  const placeOf = evidencePlacer({ evidence, documents: seen.documents, view, isModelAsked, indexes })
  const withPlace = <T extends ScoredCell | ScoredItem>(item: T): T => {
    const place = placeOf(item, item.class)
    return place === null ? item : { ...item, evidence: place }
  }
  return { ...rest, ...classed, cells: classed.cells.map(withPlace), items: classed.items.map(withPlace) }
}

/** Returns what an attempt saw; null when unknown. */
function sightOf(attempt: Attempt, seen: SeenDocuments | null): AttemptView | null {
  if (answersFromMemory(attempt.setting)) return { kind: 'nothing' }
  return seen === null ? null : attemptViewOf(attempt, seen)
}

/**
 * Loads the task's documents. Returns null when the run does not have them: without --docs it has them only if the
 * benchmark supplies every one.
 */
export async function knownDocuments(
  task: Task,
  resources: Pick<RunResources, 'documents'>,
  { docs, tableFormat }: Pick<MeasureOptions, 'docs'> & { readonly tableFormat?: string | undefined },
): Promise<readonly ContextDocument[] | null> {
  const allSupplied = task.documents.every(({ load }) => load !== undefined)
  return docs !== null || allSupplied ? await resources.documents(task, tableFormat) : null
}

/** Measures what a search found. The share of used documents is null when every scorer failed. */
function discoveryOf(
  targets: readonly DiscoveryTarget[],
  { toolResults, failedFetches }: Pick<AttemptToMeasure, 'toolResults' | 'failedFetches'>,
  scored: { readonly scores: readonly Score[]; readonly evidence: readonly ItemEvidence[] },
  { resources, measures }: { readonly resources: RunResources; readonly measures: Measures },
): Discovery {
  const textOf = (hash: string): string => resources.blobs.get(hash)
  const score = scored.scores.find(({ cause }) => cause !== 'scorer')
  const discovery = measureDiscovery({
    targets,
    answers: observedAnswers(toolResults, textOf),
    failedFetches,
    textOf,
    webMap: resources.web?.entries ?? null,
    correctItems: score === undefined ? [] : correctEvidence(scored.evidence, score),
    ...measures,
  })
  if (score !== undefined) return discovery
  return { ...discovery, recall: { ...discovery.recall, used: null } }
}

/** With a given context size, evidence ranks are measured to the depth of the ranking in the AOE paper, or to the last chunk used. */
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
