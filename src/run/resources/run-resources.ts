import { answersFromWeb } from '../../../agents/registry.ts'
import type { ToolGrounds } from '../../../agents/setting.ts'
import { type BlobStore, createBlobStore } from '../../../logs/blobs.ts'
import { openNewTrace } from '../../../logs/earlier-traces.ts'
import { createRedactor } from '../../../logs/redact.ts'
import type { Trace } from '../../../logs/writer.ts'
import type { Retrieval, StoreUse } from '../../../retrieval/retrieval.ts'
import type { PageReader } from '../../../tools/page/page-reader.ts'
import { pageReaders } from '../../../tools/page/registry.ts'
import type { PageRenderer } from '../../../tools/page/renderer.ts'
import { loadTools, offeredTools } from '../../../tools/registry.ts'
import { settingsOf } from '../../../tools/search/settings.ts'
import type { RunConfig } from '../../config.ts'
import type { ContextDocument } from '../../core/document.ts'
import type { ModelHandle } from '../../core/model.ts'
import { builtInPricesNote, type PriceTable } from '../../core/price-table.ts'
import { type Clock, systemClock } from '../../core/runtime.ts'
import type { Task } from '../../core/task.ts'
import type { ModelSource } from '../../models/model-source.ts'
import { type LoadedPlugin, loadPlugins } from '../../plugins/load-plugins.ts'
import type { Judge } from '../../score/judge/judge.ts'
import { attemptCaps, mostSpent, runCaps, type TokenWeights, tokenWeights } from '../plan/caps.ts'
import { chooseScorers } from '../plan/choose-scorers.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import { openPromptSets, type PromptSets } from '../plan/prompt-sets.ts'
import { spentEarlier } from '../records/earlier-spending.ts'
import { closeAll } from './close-all.ts'
import { corpusInput } from './corpus-input.ts'
import { openDocumentReader } from './document-reader.ts'
import { documentSource } from './documents.ts'
import type { EnvironmentInput } from './environment.ts'
import { gatedModel, serviceOf } from './gated-model.ts'
import { type Gates, openGates } from './gates.ts'
import { openJudge } from './judge.ts'
import { openCache } from './open-cache.ts'
import { nobody, openModels } from './open-models.ts'
import { openRenderer } from './open-renderer.ts'
import { openRetrievals } from './open-retrievals.ts'
import { readPrices, relyOnBuiltIn, requirePrice, searchUsd } from './prices.ts'
import { type Allotment, createRunBudget } from './run-budget.ts'
import { secretsOf } from './secrets.ts'
import { openSpans } from './spans/open-spans.ts'
import type { Spans } from './spans/spans.ts'
import { openWeb, type Web } from './web.ts'

/** Resources shared by all attempts of a run. They are opened once and closed with the run. */
export interface RunResources {
  readonly config: RunConfig
  readonly clock: Clock
  readonly plugins: readonly LoadedPlugin[]
  /** Long texts of traces, by their hash. */
  readonly blobs: BlobStore
  /** Begins an attempt's trace; one that an interrupted run left is set aside. */
  openTrace(attemptId: string): Promise<Trace>
  /** What attempts write through, below another folder: for one whose records are collected elsewhere. */
  writingTo(folder: string): Pick<RunResources, 'blobs' | 'openTrace' | 'toolGrounds'>
  /** OpenTelemetry spans of attempts, where a collector is named. */
  readonly spans: Spans
  /** A text of a provider's or of ours without the keys of this environment. */
  withoutSecrets(text: string): string
  readonly prompts: PromptSets
  /** Names of the scorers by which attempts are scored. */
  readonly scorers: readonly string[]
  readonly judge: Judge
  /** Null where no setting of the run goes online. */
  readonly web: Web | null
  readonly toolGrounds: ToolGrounds
  readonly tools: Awaited<ReturnType<typeof loadTools>>
  /** What the run found around it, a line each. */
  readonly notices: readonly string[]
  /** What the models have to say once the attempts are done, a line each. */
  closingNotices(): string[]
  /** What an attempt may spend: its caps, within what the run's budget has left; may wait for other attempts. */
  allot(setting: string, model: ModelHandle, signal: AbortSignal): Promise<Allotment>
  readonly webPrices: { readonly searchUsd: number | null; readonly fetchUsd: number | null }
  readonly tokenWeights: TokenWeights
  /** `setting`: what a script's lines go by; `checkpoint` for questions on the side. */
  modelFor(planned: Omit<PlannedAttempt, 'setting'> & { readonly setting: string }): ModelHandle
  /** The provider and host that a model's limits belong to, by its name in records. */
  serviceFor(model: string): string
  /** Requests that a service takes at a time as far as is known; Infinity where it has refused none. */
  limitOf(service: string): number
  /** As they stand in records. */
  readonly modelNames: readonly string[]
  modelFacts(): Record<string, Record<string, unknown>>
  /** What of this machine decides what attempts find. */
  machine(): Promise<Omit<EnvironmentInput, 'config' | 'tasks'>>
  /** `tableFormat` for documents that are tables; absent: the run's first. */
  documents(task: Task, tableFormat?: string): Promise<readonly ContextDocument[]>
  /** By a retriever of the run. */
  retrieval(retriever: string): Retrieval
  /** Which store searched chunks in this process; null when none did. */
  storeUse(): StoreUse | null
  close(): Promise<void>
}

export interface ResourcesInput {
  readonly config: RunConfig
  readonly tasks: readonly Task[]
  /** A folder of look-alike documents for the sealed web, beside its twins; null: none. */
  readonly distractors: string | null
  /** Stands in for the web that --web names, and is closed with the run; absent or null: none does. */
  readonly web?: Web | null
  readonly env: NodeJS.ProcessEnv
  /** Ends work beside attempts, such as judging. */
  readonly signal: AbortSignal
  /** Told how far work beside attempts is, such as a long embedding. */
  readonly tell?: (line: string) => void
  /** Where requests wait for services; absent: for what this process alone was told. */
  readonly gates?: Gates
  /** Absent: the system's. */
  readonly clock?: Clock
}

/** Opens what a run needs and no more: no web without the online setting, no vector store without rag. */
export async function openResources(input: ResourcesInput): Promise<RunResources> {
  const { config, env, clock = systemClock } = input
  const plugins = await loadPlugins(config.plugins)
  const prices = await readPrices(config.prices)
  const models = await openModels(config, prices, env)
  const serviceFor = (model: string): string => serviceOf(model, models.get(model)?.describe() ?? {})
  const gates = input.gates ?? openGates(config, undefined, clock)
  const prompts = await openPromptSets(config.prompts)
  const cache = await openCache({ given: config.cache, env, ...(input.tell && { tell: input.tell }) })
  const reader = await openDocumentReader(cache)
  const closers: (() => Promise<void>)[] = [() => reader.close()]
  try {
    const goesOnline = config.setting.some(answersFromWeb)
    const renderer = goesOnline ? await openRenderer(config.browser, env) : null
    if (renderer !== null) closers.push(() => renderer.close())
    const retrievals = config.setting.includes('rag') ? await openRetrievals(input, cache) : null
    if (retrievals !== null) closers.push(() => retrievals.close())
    const judge = await openJudge({
      config,
      openCache: async () => cache,
      env,
      prices: prices.models,
      signal: input.signal,
      gate: gates.service,
    })
    // Last, since a sealed one may take minutes to make: what is wrong elsewhere has been told by then.
    const web = goesOnline
      ? (input.web ??
        (await openWeb({ config, env, gates, searches: true, corpus: () => corpusInput(input, reader) })))
      : null
    if (web !== null) closers.push(() => web.close())
    const searched = web?.searched?.service ?? config.search
    const isSealed = web !== null && web.entries !== null
    const usdOfSearch = searchUsd(searched, isSealed, prices)
    if (web !== null) requirePrice(config, `search:${searched}`, usdOfSearch)
    const runBudget = createRunBudget(
      runCaps(config),
      Object.keys(runCaps(config)).length === 0 ? undefined : await spentEarlier(config),
    )
    const secrets = secretsOf(env)
    const pageReader = openPageReader(config, env)
    const writingTo: RunResources['writingTo'] = folder => {
      const blobs = createBlobStore({ folder, secrets })
      return {
        blobs,
        openTrace: attemptId => openNewTrace({ folder, attemptId, clock, blobs, secrets }),
        toolGrounds: toolGroundsOf({ web, renderer, pageReader, reader, blobs, clock }),
      }
    }
    const spans = await openSpans({ env, clock, tell: input.tell ?? (() => undefined) })
    closers.push(() => spans.close())
    return {
      config,
      clock,
      plugins,
      spans,
      ...writingTo(config.out),
      withoutSecrets: createRedactor(secrets).text,
      writingTo,
      prompts,
      scorers: chooseScorers(config, input.tasks),
      judge,
      web,
      tools: await loadTools(offeredTools(plugins.map(({ name }) => name))),
      notices: [
        ...noticesOf(config, web, renderer),
        ...priceNotices(config, models, web === null || isSealed ? null : searched, prices),
      ],
      allot: (setting, model, signal) =>
        runBudget.take(attemptCaps(config, setting), mostSpent(config, setting, model, usdOfSearch), signal),
      webPrices: { searchUsd: usdOfSearch, fetchUsd: config.pageReader === 'own' ? 0 : null },
      tokenWeights: tokenWeights(config),
      modelFor({ model, task, setting, trial, seed }) {
        const { taskId } = task.question
        const handle = models.get(model)!.forAttempt({ taskId, setting, trial, seed })
        return gatedModel(handle, serviceFor(model), gates.service)
      },
      serviceFor,
      limitOf: service => gates.service.limitOf(service),
      modelNames: [...models.keys()],
      closingNotices: () => [...models.values()].flatMap(source => source.closingNotice?.() ?? []),
      modelFacts: () => Object.fromEntries([...models].map(([name, source]) => [name, source.describe()])),
      machine: async () => ({ reader: await reader.version(), hasBrowser: renderer !== null, env }),
      documents: documentSource(reader, config.docs, config.tableFormat[0]),
      retrieval(retriever) {
        if (retrievals === null) throw new Error('no retrieval in a run without rag')
        return retrievals.get(retriever)
      },
      storeUse: () => retrievals?.storeUse() ?? null,
      close: () => closeAll(closers),
    }
  } catch (error) {
    await closeAll(closers)
    throw error
  }
}

/** Who makes text of web pages, as --page-reader says. */
export function openPageReader(config: Pick<RunConfig, 'pageReader'>, env: NodeJS.ProcessEnv): PageReader {
  const entry = pageReaders.get(config.pageReader)
  return entry.create(settingsOf(entry, env))
}

function toolGroundsOf({
  web,
  blobs,
  ...shared
}: Pick<ToolGrounds, 'renderer' | 'pageReader' | 'reader' | 'clock'> & {
  readonly web: Web | null
  readonly blobs: BlobStore
}): ToolGrounds {
  const none = (): never => {
    throw new Error('no web in a run without the online setting')
  }
  return {
    transport: web?.transport ?? { name: 'none', send: none },
    search: web?.search ?? { name: 'none', search: none },
    ...shared,
    keepText: text => blobs.put(text),
  }
}

/** A cap in dollars holds only as well as the prices do. */
function priceNotices(
  config: RunConfig,
  models: ReadonlyMap<string, ModelSource>,
  searched: string | null,
  prices: PriceTable,
): string[] {
  if (config.budgetUsd === null && config.runBudgetUsd === null) return []
  const priced = [...models.values()].map(source => source.forAttempt(nobody).price)
  return relyOnBuiltIn(priced, searched, prices) ? [builtInPricesNote()] : []
}

function noticesOf(config: RunConfig, web: Web | null, renderer: PageRenderer | null): string[] {
  const notices: string[] = []
  if (config.model.includes('extractive')) {
    notices.push(
      'model: extractive, rules without a language model: demonstrates the path, is a baseline for nothing (--model for a language model)',
    )
  }
  if (web !== null) {
    notices.push(web.notice)
    const without = config.browser === 'off' ? 'off' : 'none found'
    notices.push(`browser: ${renderer?.name ?? `${without}: pages are read over plain HTTP`}`)
  }
  return notices
}
