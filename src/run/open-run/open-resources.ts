import type { SharedToolEnvironment } from '../../../agents/setting.ts'
import { type BlobStore, createBlobStore } from '../../../logs/blobs.ts'
import { openNewTrace } from '../../../logs/earlier-traces.ts'
import { createRedactor } from '../../../logs/redact.ts'
import type { Trace } from '../../../logs/writer.ts'
import { writeScorerNotice } from '../../../tasks/scorers.ts'
import { type Clock, systemClock } from '../../core/runtime.ts'
import { type LoadedPlugin, loadPlugins } from '../../plugins/load-plugins.ts'
import { formatCount } from '../../score/explain/wording.ts'
import { removeAbandonedFolders } from '../../system/owned-folder.ts'
import { chooseScorers } from '../plan/choose-scorers.ts'
import { type CloseLater, openTogether } from './close-all.ts'
import { type DocumentSide, openDocumentSide } from './document-side.ts'
import type { EnvironmentInput } from './environment.ts'
import { type ModelSide, openModelSide } from './model-side.ts'
import { openCache } from './open-cache.ts'
import type { OpeningInput } from './opening-input.ts'
import { readPrices } from './prices.ts'
import { openBudget, type SpendingLimits } from './run-budget.ts'
import {
  type CleanRecord,
  listEncryptedQuestions,
  makeQuestionRemover,
  registerRunSecrets,
} from './secrets.ts'
import { openSpans, type Spans } from './spans/open-spans.ts'
import { openWebSide, type WebSide } from './web-side.ts'

/** The writers of attempts below a folder. */
interface AttemptWriters {
  /** The long texts of traces, by hash. */
  readonly blobs: BlobStore
  /** Begins an attempt's trace. Moves one that an interrupted run left out of the way. */
  openTrace(attemptId: string): Promise<Trace>
  readonly sharedToolEnvironment: SharedToolEnvironment
}

/** What a run writes its records with. */
interface RecordWriters extends AttemptWriters {
  /** Opens writers of attempts below another folder, for an attempt whose files are collected elsewhere. */
  writingTo(folder: string): AttemptWriters
  /** OpenTelemetry spans of attempts, if a collector is configured. */
  readonly spans: Spans
  /** Removes the keys of this environment, and the questions that their benchmark encrypts, from a text. */
  withoutSecrets(text: string): string
  /** Removes the questions that their benchmark encrypts from a record before it is written. */
  readonly withoutQuestions: CleanRecord
}

interface WritersInput extends OpeningInput {
  readonly toolEnvironment: Omit<SharedToolEnvironment, 'keepText'>
}

/** Opens the writers of traces, texts and spans. No file that they write contains a secret. */
async function openRecordWriters(
  { config, tasks, toolEnvironment, env, clock, tell }: WritersInput,
  closeLater: CloseLater,
): Promise<RecordWriters> {
  const spans = await openSpans({ env, clock, tell })
  closeLater(spans)
  const questions = listEncryptedQuestions(tasks)
  const writingTo = (folder: string): AttemptWriters => {
    const blobs = createBlobStore({ folder, secrets: questions })
    return {
      blobs,
      openTrace: attemptId => openNewTrace({ folder, attemptId, clock, blobs, secrets: questions }),
      sharedToolEnvironment: { ...toolEnvironment, keepText: text => blobs.put(text) },
    }
  }
  return {
    ...writingTo(config.out),
    writingTo,
    spans,
    withoutSecrets: createRedactor(questions).text,
    withoutQuestions: makeQuestionRemover(questions),
  }
}

/** Resources shared by all attempts of a run. They are opened once and closed with the run. */
export interface RunResources extends ModelSide, DocumentSide, WebSide, RecordWriters, SpendingLimits {
  /** The run's folder, with the records of earlier attempts. */
  readonly folder: string
  readonly clock: Clock
  readonly plugins: readonly LoadedPlugin[]
  /** Names of the scorers by which attempts are scored. */
  readonly scorers: readonly string[]
  /** Notices about scorers, web, browser, models and prices, one line each. */
  readonly notices: readonly string[]
  /** Returns the facts about this machine that results depend on. */
  machine(): Promise<Omit<EnvironmentInput, 'config' | 'tasks'>>
  close(): Promise<void>
}

/** What opening the resources of a run needs. */
export interface ResourcesInput extends Omit<OpeningInput, 'clock' | 'tell'> {
  /** The default is the clock of the system. */
  readonly clock?: Clock
  readonly tell?: (line: string) => void
}

/**
 * Opens the resources that a run needs in four groups: models, documents, web and writers of records. There is a web only
 * for settings that search, a vector store only for rag. When one cannot be opened, closes the others and throws.
 */
export async function openResources(input: ResourcesInput): Promise<RunResources> {
  return await openTogether(closeLater => openEach(input, closeLater))
}

async function openEach(input: ResourcesInput, closeLater: CloseLater): Promise<Omit<RunResources, 'close'>> {
  const { config, tasks, env, tell = () => undefined, clock = systemClock } = input
  const common = { ...input, env, tell, clock }
  registerRunSecrets(config, env)
  const removed = await removeAbandonedFolders()
  if (removed > 0) tell(`removed ${formatCount(removed, 'temporary folder')} that a killed run had left`)
  const plugins = await loadPlugins(config.plugins)
  const prices = await readPrices(config.prices)
  let cache: Promise<string> | null = null
  const cacheOnce = (): Promise<string> => (cache ??= openCache({ cache: config.cache, env, tell }))
  const { gates, readerFacts, priceNotices, ...models } = await openModelSide({
    ...common,
    prices,
    openCache: cacheOnce,
  })
  const { reader, ...documents } = await openDocumentSide({ ...common, cache: await cacheOnce() }, closeLater)
  const { renderer, pageReader, paidSearches, webNotices, ...web } = await openWebSide(
    { ...common, plugins: plugins.map(({ name }) => name), gates, reader, prices },
    closeLater,
  )
  const { shared } = web.searchedWeb(undefined)
  const toolEnvironment = { ...shared, renderer, reader, clock, pageReader }
  const writers = await openRecordWriters({ ...common, toolEnvironment }, closeLater)
  const scorers = chooseScorers(config, tasks)
  return {
    folder: config.out,
    clock,
    plugins,
    scorers,
    ...models,
    ...documents,
    ...web,
    ...writers,
    ...(await openBudget(config, web.webPrices.searchUsd, readerFacts)),
    notices: [
      ...scorers.map(writeScorerNotice),
      ...(config.model.includes('extractive') ? [demonstrationNotice] : []),
      ...webNotices,
      ...models.agents.notices,
      ...priceNotices(paidSearches),
    ],
    machine: async () => ({ reader: await reader.version(), hasBrowser: renderer !== null, env }),
  }
}

const demonstrationNotice =
  'model: extractive uses rules instead of a language model. It shows how a run works and is no baseline. Choose a language model with --model.'
