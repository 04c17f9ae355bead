import { answersFromMemory, answersFromWeb, settings } from '../../../agents/registry.ts'
import { readStoredText } from '../../../logs/blobs.ts'
import type { RunConfig } from '../../config.ts'
import type { Attempt } from '../../core/attempt.ts'
import type { Discovery, RetrievalRecord } from '../../core/discovery.ts'
import type { ContextDocument } from '../../core/document.ts'
import { CodedError, ConfigError, DataError } from '../../core/errors.ts'
import type { Score } from '../../core/score.ts'
import { isUnscoredCause } from '../../core/termination.ts'
import { cutDocuments } from '../../evidence/attempt-views.ts'
import { measureDiscovery } from '../../evidence/discovery.ts'
import { createDocumentComparer, type DocumentComparer } from '../../evidence/fingerprint.ts'
import { listCorrectEvidence } from '../../evidence/gold-evidence.ts'
import type { ItemEvidence } from '../../evidence/matcher.ts'
import { makeEvidenceDocument } from '../../evidence/matcher.ts'
import { listObservedAnswers } from '../../evidence/observed.ts'
import { measureRetrieval } from '../../evidence/retrieval-measures.ts'
import { type DiscoveryTarget, listDiscoveryTargets } from '../../evidence/targets.ts'
import { createTextIndexes } from '../../evidence/text-index.ts'
import { isFatalToRun } from '../../system/system-errors.ts'
import { readFirstLine } from '../../text/plain-text.ts'
import { readKnownDocuments } from '../open-run/documents.ts'
import type { RunResources } from '../open-run/open-resources.ts'
import { findTaskEvidence } from '../open-run/task-evidence.ts'
import { findTableFormat } from '../plan/plan.ts'
import { listSeenOnWeb, type SeenDocuments, storeSeenDocuments } from '../records/seen-documents.ts'
import type { EndedAttempt } from './attempt-record.ts'
import { readShownBefore } from './controls/online-base.ts'
import { scanForGold } from './leak-scan.ts'
import { withLossClass } from './loss-class.ts'
import { scoreAnswers } from './score-answers.ts'
import type { FoundLeak } from './watch.ts'

/** What is known of an attempt's task. */
interface TaskSources {
  /** Null when the run does not have the documents. */
  readonly documents: readonly ContextDocument[] | null
  /** The evidence of the task's items; null when unknown. */
  readonly evidence: readonly ItemEvidence[] | null
  /** The targets of a search; null for an attempt that does not search, and when they are unknown. */
  readonly targets: readonly DiscoveryTarget[] | null
}

async function findSources(
  { planned }: EndedAttempt,
  resources: RunResources,
  { options: { docs } }: AttemptMeasures,
): Promise<TaskSources> {
  const { task, setting, control } = planned
  const documents = await readKnownDocuments(task, resources, { docs, tableFormat: findTableFormat(planned) })
  const isSearch = answersFromWeb(setting) && control === null
  return {
    documents,
    evidence: findTaskEvidence(task, setting),
    targets: isSearch ? listDiscoveryTargets(task.evidence, documents, resources.web?.entries ?? null) : null,
  }
}

/** Returns the documents that an attempt saw; null when unknown, and when nothing is scored. */
async function findSeenDocuments(
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
    const answers = listObservedAnswers(watch.toolResults, blobs.get)
    const input = { targets, answers, textOf: blobs.get, webMap: web?.entries ?? null, comparer }
    return {
      ...listSeenOnWeb(input),
      atAnswer: () => watch.lastRequest.texts(stored => readStoredText(stored, blobs)),
    }
  }
  if (documents === null) return null
  const whole = documents.map(makeEvidenceDocument)
  if (control?.name === 'oracle-inject') {
    const put = cutDocuments(whole, outcome.context).filter(({ text }) => text !== '')
    return { documents: whole, chunks: null, shown: [...(await readShownBefore(control, resources)), ...put] }
  }
  return { documents: whole, chunks: setting === 'rag' ? (outcome.chunks ?? []) : null, shown: null }
}

interface MeasuredAttempt {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
  /** The hash of the stored list of documents that the attempt saw; null when unknown. */
  readonly seenHash: string | null
  /** The gold that tools showed to the agent. */
  readonly goldShown: readonly FoundLeak[]
}

/** Options and indexes shared by all attempts of a run, so that no document is indexed twice. */
export interface AttemptMeasures {
  readonly options: RunConfig
  readonly comparer: ReturnType<typeof createDocumentComparer>
  readonly indexes: ReturnType<typeof createTextIndexes>
  /** Indexes of chunks. They are separate, because hundreds of chunks would displace the indexes of documents. */
  readonly chunkIndexes: ReturnType<typeof createTextIndexes>
}

const chunkChars = 10_000_000

/** Creates the indexes of a run. */
export function createMeasures(options: RunConfig): AttemptMeasures {
  return {
    options,
    comparer: createDocumentComparer(),
    indexes: createTextIndexes(),
    chunkIndexes: createTextIndexes(chunkChars),
  }
}

/**
 * Scores an attempt that has ended and computes the measures that need gold. A temporary failure, such as a document that
 * its benchmark could not load, ends only this attempt, as harness / crash. The attempt is unscored and keeps its answer.
 *
 * @throws an error that ends the run: wrong input, a failure of the machine, or any failure in a cancelled run
 */
export async function measureAttempt(
  ended: EndedAttempt,
  resources: RunResources,
  measures: AttemptMeasures,
): Promise<MeasuredAttempt> {
  const { planned, record, outcome, watch, cancelled } = ended
  const { task, setting } = planned
  const { scorers, judge, clock, blobs, withoutSecrets } = resources
  const { successAt, allowMissingDocuments } = measures.options
  const toScore = {
    scorers,
    task,
    judge,
    clock,
    successAt,
    allowMissingDocuments,
    infrastructureFailures: watch.infrastructureFailures(),
    answers: outcome,
    checkpoints: watch.checkpoints,
    blob: blobs.get,
    run: { cancelled, withoutSecrets },
  }
  const unknownEvidence = task.evidence === null ? { evidence: null } : {}
  try {
    // Documents are loaded before scoring, so that a failure causes no calls of the judge.
    const sources = await findSources(ended, resources, measures)
    // Gold is searched for after the attempt has ended, so that no gold can reach the agent. Results of queries may
    // contain it, because they come from the documents of the task.
    const goldShown = answersFromWeb(setting) ? findGoldShown(ended, sources, resources, measures) : []
    const seenDocuments = await findSeenDocuments(ended, sources, resources, measures.comparer)
    const seenHash = seenDocuments === null ? null : storeSeenDocuments(seenDocuments, blobs)
    const scores = await scoreAnswers({ ...toScore, attempt: record })
    const attempt: Attempt = {
      ...record,
      ...unknownEvidence,
      discovery: measureSearch(sources, ended, scores, { resources, measures }),
      retrieval: measureChunks(ended, sources, measures),
    }
    const classed = { attempt, evidence: sources.evidence, seenDocuments, indexes: measures.indexes }
    return { attempt, scores: scores.map(score => withLossClass(score, classed)), seenHash, goldShown }
  } catch (error) {
    if (cancelled.aborted || !isPassing(error)) throw error
    const crashed = makeCrashedRecord(record, withoutSecrets(formatProblem(error)))
    const scores = await scoreAnswers({ ...toScore, attempt: crashed })
    return { attempt: { ...crashed, ...unknownEvidence }, scores, seenHash: null, goldShown: [] }
  }
}

function findGoldShown(
  { planned: { task }, watch: { toolResults } }: EndedAttempt,
  { documents }: TaskSources,
  { web, blobs }: RunResources,
  { comparer, indexes }: AttemptMeasures,
): FoundLeak[] {
  if (toolResults.length === 0) return []
  const entries = web?.entries ?? null
  const leaks = scanForGold(toolResults, { task, documents, entries, comparer, indexes, textOf: blobs.get })
  return leaks.map(leak => ({ ...leak, how: 'canary' }))
}

/** An attempt that a provider, the harness or the operator ended keeps its termination. */
function makeCrashedRecord(record: Attempt, problem: string): Attempt {
  const { termination } = record
  if (isUnscoredCause(termination.cause)) return record
  const detail = `its measures could not be taken: ${problem}`
  return { ...record, termination: { ...termination, cause: 'harness', reason: 'crash', detail } }
}

/**
 * Whether the same work may succeed later or in another attempt. Returns false for wrong input and for errors
 * that end the run.
 */
function isPassing(error: unknown): boolean {
  if (isFatalToRun(error)) return false
  // Our error has the exception of the document's load function as its cause.
  if (error instanceof DataError && error.code === 'invalid-document')
    return error.cause !== undefined && !(error.cause instanceof CodedError)
  return !(error instanceof ConfigError || error instanceof DataError)
}

function formatProblem(error: unknown): string {
  const message = readFirstLine(error)
  return error instanceof Error && !(error instanceof CodedError) ? `${error.name}: ${message}` : message
}

/**
 * Measures what a search found; null when targets or evidence are unknown. The share of used documents is null when every
 * scorer failed.
 */
function measureSearch(
  { targets, evidence }: TaskSources,
  { watch: { toolResults, failedFetches } }: EndedAttempt,
  scores: readonly Score[],
  { resources, measures }: { readonly resources: RunResources; readonly measures: AttemptMeasures },
): Discovery | null {
  if (targets === null || evidence === null) return null
  const textOf = resources.blobs.get
  const score = scores.find(({ cause }) => cause !== 'scorer')
  const discovery = measureDiscovery({
    targets,
    answers: listObservedAnswers(toolResults, textOf),
    failedFetches,
    textOf,
    webMap: resources.web?.entries ?? null,
    correctItems: score === undefined ? [] : listCorrectEvidence(evidence, score),
    ...measures,
  })
  if (score !== undefined) return discovery
  return { ...discovery, recall: { ...discovery.recall, used: null } }
}

/** With a given context size, evidence ranks are measured to the depth of the ranking in the AOE paper, or to the last chunk used. */
const rankingDepth = 250

function measureChunks(
  { planned, outcome }: EndedAttempt,
  { documents, evidence }: TaskSources,
  { indexes, chunkIndexes }: AttemptMeasures,
): RetrievalRecord | null {
  const { chunks, retrieval, retrieved = chunks } = outcome
  if (retrieval === null || chunks === null || retrieved === null) return null
  // A context size replaces the limits of the retriever.
  const isSized = (planned.rag?.contextTokens ?? null) !== null
  const ranking = isSized ? retrieved.slice(0, Math.max(rankingDepth, chunks.length)) : retrieved
  return {
    ...retrieval,
    ...measureRetrieval({
      documents: documents ?? [],
      chunks,
      ranking,
      retrieved: isSized ? chunks : retrieved,
      evidence,
      indexes,
      chunkIndexes,
    }),
  }
}
