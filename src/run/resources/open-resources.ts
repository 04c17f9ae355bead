import { mcpServerOf } from '../../../agents/online-options.ts'
import { answersFromWeb } from '../../../agents/registry.ts'
import type { SharedToolEnvironment } from '../../../agents/setting.ts'
import { createBlobStore } from '../../../logs/blobs.ts'
import { openNewTrace } from '../../../logs/earlier-traces.ts'
import { createRedactor } from '../../../logs/redact.ts'
import type { VersionedReader } from '../../../retrieval/document-reader.ts'
import { scorerNotice } from '../../../tasks/scorers.ts'
import type { McpServers } from '../../../tools/mcp/mcp-servers.ts'
import type { PageRenderer } from '../../../tools/page/renderer.ts'
import { loadTools, offeredTools } from '../../../tools/registry.ts'
import type { RunConfig } from '../../config.ts'
import { type Clock, systemClock } from '../../core/runtime.ts'
import type { Task } from '../../core/task.ts'
import { builtInPricesNote, type PriceTable } from '../../models/known-models.ts'
import type { ModelSource } from '../../models/model-source.ts'
import { loadPlugins } from '../../plugins/load-plugins.ts'
import {
  type AttemptCapOptions,
  attemptCaps,
  maxSpending,
  type RunCapOptions,
  runCaps,
  type SpendingOptions,
  tokenWeights,
  withReaderPrice,
} from '../plan/caps.ts'
import { chooseScorers } from '../plan/choose-scorers.ts'
import { openPromptSets } from '../plan/prompt-sets.ts'
import { readEarlierSpending, type SpentOptions } from '../records/earlier-spending.ts'
import { type CorpusOptions, corpusInput } from './corpus-input.ts'
import { openDocumentReader } from './document-reader.ts'
import { documentPaths, documentSource } from './documents.ts'
import { gatedModel, serviceOf } from './gated-model.ts'
import { type GateOptions, type Gates, openGates } from './gates.ts'
import { type JudgeOptions, openJudge } from './judge.ts'
import { type AgentOptions, openAgents } from './open-agents.ts'
import { openCache } from './open-cache.ts'
import {
  type ModelOptions,
  openModels,
  openReaderModel,
  placeholderAttempt,
  requireLaterSystemMessages,
} from './open-models.ts'
import { openRetrievals, type RetrievalOptions } from './open-retrievals.ts'
import { openPageReader, openRenderer } from './page-access.ts'
import { type DollarCapOptions, readPrices, requirePrice, searchUsd, usesBuiltInPrices } from './prices.ts'
import { createRunBudget } from './run-budget.ts'
import type { RunResources } from './run-resources.ts'
import { encryptedQuestions, questionRemover, secretsOf } from './secrets.ts'
import { openSpans } from './spans/open-spans.ts'
import { openWeb, type Web, type WebOptions, webOptionsOf } from './web.ts'

/** The options that decide which resources a run opens. */
export type ResourceOptions = ModelOptions &
  AgentOptions &
  GateOptions &
  JudgeOptions &
  Omit<WebOptions, 'search'> &
  CorpusOptions &
  RetrievalOptions &
  BudgetOptions &
  Pick<
    RunConfig,
    | 'browser'
    | 'cache'
    | 'pageReader'
    | 'plugins'
    | 'prices'
    | 'prompts'
    | 'scorer'
    | 'search'
    | 'setting'
    | 'goalReading'
    | 'mcp'
    | 'mcpCharge'
    | 'readerModel'
    | 'tableFormat'
    | 'tools'
  >

/** The options that limit what attempts spend. */
type BudgetOptions = AttemptCapOptions & RunCapOptions & SpendingOptions & SpentOptions

export interface ResourcesInput {
  readonly config: ResourceOptions
  readonly tasks: readonly Task[]
  /**
   * A folder of look-alike documents that the sealed web contains besides its twins; null when there is none.
   */
  readonly distractors: string | null
  /** Replaces the web that --web names, and is closed with the run. When null or absent, --web decides. */
  readonly web?: Web | null
  readonly env: NodeJS.ProcessEnv
  /** Aborts work outside attempts, such as judging. */
  readonly signal: AbortSignal
  /** Receives progress lines of work outside attempts, such as a long embedding. */
  readonly tell?: (line: string) => void
  /** The rate limits of services. By default, the limits apply to this process only. */
  readonly gates?: Gates
  /** The default is the clock of the system. */
  readonly clock?: Clock
}

/** Registers a resource to be closed with the run. */
type CloseLater = (opened: { close(): Promise<void> } | null) => void

/**
 * Opens the resources that a run needs: a web only for settings that search, a vector store only for rag. When one
 * cannot be opened, closes the others and throws.
 */
export async function openResources(input: ResourcesInput): Promise<RunResources> {
  const closers: (() => Promise<void>)[] = []
  try {
    const opened = await openEach(input, opened => {
      if (opened !== null) closers.push(() => opened.close())
    })
    return { ...opened, close: () => closeAll(closers) }
  } catch (error) {
    await closeAll(closers)
    throw error
  }
}

async function openEach(input: ResourcesInput, closeLater: CloseLater): Promise<Omit<RunResources, 'close'>> {
  const { config, env, signal, tell = () => undefined, clock = systemClock } = input
  const plugins = await loadPlugins(config.plugins)
  const prices = await readPrices(config.prices)
  const models = await openModels(config, prices, env)
  const gates = input.gates ?? openGates(config, undefined, clock)
  const agents = await openAgents(config, input.tasks, env)
  const prompts = await openPromptSets(config.prompts)
  requireLaterSystemMessages(
    models,
    prompts,
    input.tasks.map(({ question }) => question),
  )
  const cache = await openCache({ given: config.cache, env, tell })
  const reader = await openDocumentReader(cache)
  closeLater(reader)
  const renderer = config.setting.some(answersFromWeb) ? await openRenderer(config.browser, env, tell) : null
  closeLater(renderer)
  const retrievals = config.setting.includes('rag') ? await openRetrievals(input, cache) : null
  closeLater(retrievals)
  let judgeFailure: string | null = null
  const judge = await openJudge({
    onBroken: ({ message }) => {
      judgeFailure = message
    },
    ...{ config, env, signal, prices: prices.models, gate: gates.service },
    openCache: async () => cache,
  })
  const tools = config.tools ?? offeredTools(plugins.map(({ name }) => name))
  const reading = await openReaderModel(config, prices, env)
  const servers = await openMcpServers(config, tools, env)
  closeLater(servers)
  // The web is opened last, because building a sealed web may take minutes and other problems are reported
  // first.
  const webs = await openSearchedWebs(input, { gates, reader, prices }, closeLater)
  const searches = webResources(webs, config)
  const usdOfSearch = dearest(
    webs.size > 0
      ? [...webs.values()].map(searched => searched.usdOfSearch)
      : config.search.map(service => searchUsd(service, false, prices)),
  )
  const paid = [...webs.values()].flatMap(searched => searched.paid ?? [])
  const spans = await openSpans({ env, clock, tell })
  closeLater(spans)
  const scorers = chooseScorers(config, input.tasks)
  const questions = encryptedQuestions(input.tasks)
  const secrets = [...secretsOf(env), ...questions]
  const writing = writersOf({
    secrets,
    shared: searches.searchedWeb(undefined).shared,
    renderer,
    reader,
    clock,
    config,
    env,
  })
  return {
    ...{ folder: config.out, clock, plugins, spans, agents, prompts, judge, ...searches },
    judgeFailure: () => judgeFailure,
    scorers,
    ...writing(config.out),
    writingTo: writing,
    withoutSecrets: createRedactor(secrets).text,
    withoutQuestions: questionRemover(questions),
    ...(await toolResources(tools, servers)),
    notices: noticesOf({
      config,
      scorers,
      webs: [...webs.values()].map(searched => searched.web),
      renderer,
      models,
      paid,
      prices,
    }),
    ...(await budgetResources(config, usdOfSearch, reading)),
    ...modelResources(models, gates),
    ...readerResources(reading, gates),
    machine: async () => ({ reader: await reader.version(), hasBrowser: renderer !== null, env }),
    documentFile: documentPaths(config.docs),
    documents: documentSource(reader, config.docs, config.tableFormat[0]),
    retrieval(retriever) {
      if (retrievals === null) throw new Error('a run without the rag setting has no retrieval')
      return retrievals.get(retriever)
    },
  }
}

interface SearchedWeb {
  readonly web: Web
  /** US dollars for each search; null when unknown. */
  readonly usdOfSearch: number | null
  /** The service that is paid for searches; null when there is none. */
  readonly paid: string | null
}

/** What opening a web needs besides the options. */
interface OpenedForWeb {
  readonly gates: Gates
  readonly reader: VersionedReader
  readonly prices: PriceTable
}

/** Opens a web for each search service, by its name. Returns none when no setting of the run searches the web. */
async function openSearchedWebs(
  input: ResourcesInput,
  opened: OpenedForWeb,
  closeLater: CloseLater,
): Promise<ReadonlyMap<string, SearchedWeb>> {
  const webs = new Map<string, SearchedWeb>()
  if (!input.config.setting.some(answersFromWeb)) return webs
  for (const config of webOptionsOf(input.config)) {
    const corpus = () => corpusInput(input, opened.reader)
    const { env } = input
    const web = input.web ?? (await openWeb({ config, env, gates: opened.gates, searches: true, corpus }))
    closeLater(web)
    const searched = web.searched?.service ?? config.search
    const isSealed = web.entries !== null
    const usdOfSearch = searchUsd(searched, isSealed, opened.prices)
    requirePrice(config, `search:${searched}`, usdOfSearch)
    webs.set(config.search, { web, usdOfSearch, paid: isSealed ? null : searched })
  }
  return webs
}

/** Returns the webs of the attempts of a run, by their search service. */
function webResources(
  webs: ReadonlyMap<string, SearchedWeb>,
  { pageReader }: Pick<RunConfig, 'pageReader'>,
): Pick<RunResources, 'otherSearches' | 'searchedWeb' | 'web'> {
  const [first, ...others] = webs.values()
  const none = (): never => {
    throw new Error('a run without the online setting has no web')
  }
  return {
    web: first?.web ?? null,
    otherSearches: others.flatMap(({ web }) => web.searched ?? []),
    searchedWeb(service) {
      const { web, usdOfSearch = null } = (service === undefined ? first : webs.get(service)) ?? {}
      return {
        shared: {
          transport: web?.transport ?? { name: 'none', send: none },
          search: web?.search ?? { name: 'none', search: none },
          scholar: web?.scholar ?? null,
        },
        webPrices: { searchUsd: usdOfSearch, fetchUsd: pageReader === 'own' ? 0 : null },
      }
    },
  }
}

/** Returns the price of the most expensive service; null when the price of one is unknown. */
function dearest(prices: readonly (number | null)[]): number | null {
  return prices.includes(null) ? null : Math.max(0, ...prices.filter(price => price !== null))
}

/** The budgets of attempts within the run's budget, and the prices of searches and fetches. */
async function budgetResources(
  config: BudgetOptions & Pick<RunConfig, 'pageReader'>,
  usdOfSearch: number | null,
  reading: ModelSource | null,
): Promise<Pick<RunResources, 'allot' | 'maxSpendingOf' | 'tokenWeights' | 'webPrices'>> {
  const caps = runCaps(config)
  const isCapped = Object.keys(caps).length > 0
  const budget = createRunBudget(caps, isCapped ? await readEarlierSpending(config) : undefined)
  const reader = reading?.forAttempt(placeholderAttempt) ?? null
  const maxSpendingOf: RunResources['maxSpendingOf'] = (setting, model) => {
    const priced = answersFromWeb(setting) ? withReaderPrice(model, reader) : model
    return maxSpending(config, setting, priced, usdOfSearch)
  }
  return {
    maxSpendingOf,
    allot: (setting, model, signal) =>
      budget.take(attemptCaps(config, setting), maxSpendingOf(setting, model), signal),
    tokenWeights: tokenWeights(config),
    webPrices: { searchUsd: usdOfSearch, fetchUsd: config.pageReader === 'own' ? 0 : null },
  }
}

/** The models under test, with the rate limits of their services. */
function modelResources(
  models: ReadonlyMap<string, ModelSource>,
  gates: Gates,
): Pick<
  RunResources,
  'closingNotices' | 'limitOf' | 'modelFacts' | 'modelFor' | 'modelNames' | 'serviceFor'
> {
  const serviceFor = (model: string): string => serviceOf(model, models.get(model)?.describe() ?? {})
  return {
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
  }
}

/** The model of --reader-model, with the rate limits of its service; null without one. */
function readerResources(
  reader: ModelSource | null,
  gates: Gates,
): Pick<RunResources, 'readerFor' | 'readerName'> {
  return {
    readerName: reader?.name ?? null,
    readerFor({ task, setting, trial, seed }) {
      if (reader === null) return null
      const handle = reader.forAttempt({ taskId: task.question.taskId, setting, trial, seed })
      return gatedModel(handle, serviceOf(reader.name, reader.describe()), gates.service)
    },
  }
}

/** The tools of the agent: those of the registry, and those of MCP servers. */
async function toolResources(
  names: readonly string[],
  servers: McpServers | null,
): Promise<Pick<RunResources, 'mcpFacts' | 'tools'>> {
  const own = await loadTools(names)
  const further = servers?.tools ?? []
  return {
    mcpFacts: servers?.facts ?? null,
    tools: environment => [...own(environment), ...further.map(create => create(environment))],
  }
}

/**
 * Connects to the servers of --mcp.
 *
 * @throws ConfigError [invalid-mcp-server, mcp-server-failed]
 */
async function openMcpServers(
  { mcp, mcpCharge, setting }: ResourceOptions,
  taken: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<McpServers | null> {
  if (mcp.length === 0 || !setting.some(answersFromWeb)) return null
  const { connectMcpServers } = await import('../../../tools/mcp/mcp-servers.ts')
  return await connectMcpServers(mcp.map(mcpServerOf), { taken, charge: mcpCharge, env })
}

/** Returns a function that opens the writers of attempts (blobs, traces, tools) below a folder. */
function writersOf({
  shared: searched,
  config,
  env,
  secrets,
  ...shared
}: Pick<SharedToolEnvironment, 'renderer' | 'reader' | 'clock'> & {
  readonly shared: Pick<SharedToolEnvironment, 'scholar' | 'search' | 'transport'>
  readonly config: Pick<RunConfig, 'pageReader'>
  readonly env: NodeJS.ProcessEnv
  /** Texts that no file contains. */
  readonly secrets: readonly string[]
}): RunResources['writingTo'] {
  const pageReader = openPageReader(config, env)
  return folder => {
    const blobs = createBlobStore({ folder, secrets })
    return {
      blobs,
      openTrace: attemptId => openNewTrace({ folder, attemptId, clock: shared.clock, blobs, secrets }),
      sharedToolEnvironment: {
        ...searched,
        ...shared,
        pageReader,
        keepText: text => blobs.put(text),
      },
    }
  }
}

/** The facts that the notices of a run report. */
interface NoticedRun {
  readonly config: DollarCapOptions & Pick<RunConfig, 'browser' | 'model'>
  readonly scorers: readonly string[]
  /** One for each search service. */
  readonly webs: readonly Web[]
  readonly renderer: PageRenderer | null
  readonly models: ReadonlyMap<string, ModelSource>
  /** The services that are paid for searches. */
  readonly paid: readonly string[]
  readonly prices: PriceTable
}

function noticesOf(run: NoticedRun): string[] {
  const { config, webs, renderer } = run
  const notices: string[] = run.scorers.map(scorerNotice)
  if (config.model.includes('extractive')) {
    notices.push(
      'model: extractive uses rules instead of a language model. It shows how a run works and is no baseline. Choose a language model with --model.',
    )
  }
  if (webs.length > 0) {
    notices.push(...webs.map(web => web.notice))
    const without = config.browser === 'off' ? 'off' : 'none found'
    notices.push(`browser: ${renderer?.name ?? `${without}: pages are read over plain HTTP`}`)
  }
  return [...notices, ...priceNotices(run)]
}

/** Warns that a budget in US dollars relies on built-in prices, which may be out of date. */
function priceNotices({ config, models, paid, prices }: NoticedRun): string[] {
  if (config.budgetUsd === null && config.runBudgetUsd === null) return []
  const priced = [...models.values()].map(source => source.forAttempt(placeholderAttempt).price)
  return usesBuiltInPrices(priced, paid, prices) ? [builtInPricesNote()] : []
}

/** Closes all in reverse order, also when some fail, and then throws the first failure. */
export async function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.toReversed())
    await close().catch((error: unknown) => {
      failures.push(error)
    })
  if (failures.length > 0) throw failures[0]
}
