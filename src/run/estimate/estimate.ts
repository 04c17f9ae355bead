import { defaultAgent } from '../../../agents/online-options.ts'
import { answersFromWeb } from '../../../agents/registry.ts'
import type { RunConfig } from '../../config.ts'
import { joinPages } from '../../core/document.ts'
import { groupBy } from '../../core/group-by.ts'
import type { ModelHandle } from '../../core/model.ts'
import type { Task } from '../../core/task.ts'
import type { PriceTable } from '../../models/known-models.ts'
import { countTokensCheaply } from '../../models/token-count.ts'
import { openDocumentReader } from '../open-run/document-side.ts'
import { makeDocumentSource } from '../open-run/documents.ts'
import { type OpenAgents, openAgents } from '../open-run/open-agents.ts'
import { openCache } from '../open-run/open-cache.ts'
import {
  openModels,
  openReaderModel,
  placeholderAttempt,
  requireLaterSystemMessages,
} from '../open-run/open-models.ts'
import { listUnusedPriceNotes, readPrices, searchUsd, usesBuiltInPrices } from '../open-run/prices.ts'
import { listArms, type PlannedArm } from '../plan/arms.ts'
import { readMaxSpending, runCaps, withReaderPrice } from '../plan/caps.ts'
import { checkOptions } from '../plan/check-options.ts'
import { openPromptSets, requirePrompts } from '../plan/prompt-sets.ts'
import { estimateCheckpoints } from './checkpoint-estimate.ts'
import { estimatePower, type PowerEstimate } from './power-estimate.ts'
import { multiplySpending, type Spending, sum } from './spending.ts'
import { countTypicalTokens, estimateTypical, limitSpending, ragTokens } from './typical-spending.ts'

/** The estimate for a setting and a model. */
export interface EstimateRow {
  readonly setting: string
  readonly model: string
  /** Null when the run has one agent. */
  readonly agent: string | null
  readonly attempts: number
  /** The most that all of these attempts can spend within their caps. */
  readonly atMost: Spending
  readonly typical: Spending
}

/** What a run would cost. */
export interface Estimate {
  readonly attempts: number
  readonly rows: readonly EstimateRow[]
  /** Shadow answers at checkpoints, one row per model: `attempts` counts answers. Empty without checkpoints. */
  readonly checkpoints: readonly EstimateRow[]
  /** The sum of both, within the run's own budgets. */
  readonly atMost: Spending
  readonly typical: Spending
  /** What the run could detect. */
  readonly power: PowerEstimate
  /** Whether pages are read for goals: the highest figures include these requests, the typical ones do not. */
  readonly goalReading: boolean
  /** True when amounts in US dollars come from the built-in price table. */
  readonly builtInPrices: boolean
  /** Warnings about prices of --prices that no model has. */
  readonly unusedPrices: readonly string[]
}

/** Estimates what a run would cost at most by its caps, and typically. Reads tasks and documents; sends no requests to models. */
export async function estimateRun(
  config: RunConfig,
  tasks: readonly Task[],
  env: NodeJS.ProcessEnv,
): Promise<Estimate> {
  const parts = await openParts(config, tasks, env)
  const { models, reader, prices, repeats } = parts
  const rows = [...models].flatMap(([model, handle]) =>
    config.setting.flatMap(setting => estimateSetting({ setting, model, handle }, parts)),
  )
  const checkpoints = [...models].flatMap(([model, handle]) =>
    listCheckpointRows(config, model, handle, tasks.length * repeats),
  )
  const allRows = [...rows, ...checkpoints]
  const attempts = rows.reduce((total, row) => total + row.attempts, 0)
  const typical = sum(allRows.map(row => row.typical))
  const caps = runCaps(config)
  const searchesWeb = config.setting.some(answersFromWeb)
  const modelPrices = [...models].map(([name, { price }]) => ({ name, price }))
  return {
    attempts,
    power: estimatePower(tasks, { attempts, usd: typical.usd }),
    rows,
    checkpoints,
    atMost: limitSpending(sum(allRows.map(row => row.atMost)), caps),
    typical: limitSpending(typical, caps, true),
    goalReading: config.goalReading && searchesWeb,
    builtInPrices: usesBuiltInPrices(
      [...modelPrices, ...(reader === null ? [] : [reader])].map(({ price }) => price),
      searchesWeb && !parts.isSearchFree ? config.search : [],
      prices,
    ),
    unusedPrices: listUnusedPriceNotes(prices, modelPrices, [config.judge, config.readerModel ?? '']),
  }
}

/** The parts of a run that its estimate needs. */
interface EstimatedParts {
  readonly config: RunConfig
  readonly agents: OpenAgents
  readonly prices: PriceTable
  /** By their names in records. */
  readonly models: ReadonlyMap<string, ModelHandle>
  /** The model of --reader-model; null without one. */
  readonly reader: ModelHandle | null
  /** Whether no search service is asked. */
  readonly isSearchFree: boolean
  /** Tokens of each task's documents. */
  readonly sizes: readonly number[]
  /** How many attempts each task has in each arm. */
  readonly repeats: number
}

/** Checks the options like a run, and opens the parts. */
async function openParts(
  config: RunConfig,
  tasks: readonly Task[],
  env: NodeJS.ProcessEnv,
): Promise<EstimatedParts> {
  await checkOptions(config, tasks)
  const agents = await openAgents(config, tasks, env)
  const prices = await readPrices(config.prices)
  const sources = await openModels(config, prices, env)
  const reader = (await openReaderModel(config, prices, env))?.forAttempt(placeholderAttempt) ?? null
  const sizes = await countDocumentTokens(config, tasks, env)
  const prompts = await openPromptSets(config.prompts)
  const questions = tasks.map(({ question }) => question)
  requirePrompts(prompts, questions, config)
  requireLaterSystemMessages(sources, prompts, questions)
  return {
    config,
    agents,
    prices,
    models: new Map([...sources].map(([name, source]) => [name, source.forAttempt(placeholderAttempt)])),
    reader,
    isSearchFree: config.web.startsWith('sealed') || config.web.startsWith('replay:'),
    sizes,
    repeats: config.trials * config.cot.length * prompts.size,
  }
}

/** A setting with one of the models that are tried in it. */
interface SettingToEstimate {
  readonly setting: string
  readonly model: string
  readonly handle: ModelHandle
}

/** What another agent typically spends is not known. */
const unknownSpending: Spending = { tokens: null, searchCalls: null, usd: null }

/** Returns a row for each agent. */
function estimateSetting(
  { setting, model, handle }: SettingToEstimate,
  { config, agents, prices, reader, isSearchFree, sizes, repeats }: EstimatedParts,
): EstimateRow[] {
  const searchPrice = ({ values }: PlannedArm): number | null =>
    searchUsd((values?.search as string | undefined) ?? config.search[0]!, isSearchFree, prices)
  const priced = answersFromWeb(setting) ? withReaderPrice(handle, reader) : handle
  const mostOf = (arm: PlannedArm): Spending => readMaxSpending(config, setting, priced, searchPrice(arm))
  const typicalOf = (arm: PlannedArm, documents: number): Spending => {
    if (readAgent(arm) !== defaultAgent && arm.control === undefined) return unknownSpending
    const mostShown = arm.rag?.contextTokens ?? ragTokens
    const attempt = { setting, documents, mostShown, config, model: handle, usdOfSearch: searchPrice(arm) }
    return limitSpending(estimateTypical(attempt), mostOf(arm), true)
  }
  const byAgent = [...groupBy(listArms(config, setting), readAgent)]
  return byAgent.map(([agent, arms]) => {
    const typical = arms.flatMap(arm => sizes.map(documents => typicalOf(arm, documents)))
    return {
      setting,
      model,
      attempts: sizes.length * repeats * arms.length,
      atMost: multiplySpending(sum(arms.map(mostOf)), sizes.length * repeats),
      typical: multiplySpending(sum(typical), repeats),
      agent: byAgent.length > 1 ? agents.nameOf(agent) : null,
    }
  })
}

function readAgent({ values }: PlannedArm): string {
  return (values?.agent as string | undefined) ?? defaultAgent
}

/** Estimates the shadow answers of all online attempts of a model. */
function listCheckpointRows(
  config: RunConfig,
  model: string,
  handle: ModelHandle,
  tries: number,
): EstimateRow[] {
  if (config.checkpointTokens.length === 0 || !config.setting.includes('online')) return []
  // A control of another setting makes one request and has no checkpoints.
  const attempts = tries * listArms(config, 'online').filter(arm => arm.setting === undefined).length
  const shadowAnswers = estimateCheckpoints(config, handle, countTypicalTokens(config))
  const setting = 'checkpoints'
  return [
    {
      setting,
      model,
      agent: null,
      attempts: attempts * shadowAnswers.answers,
      atMost: multiplySpending(shadowAnswers.atMost, attempts),
      typical: multiplySpending(shadowAnswers.typical, attempts),
    },
  ]
}

/** Counts the tokens of each task's documents; 0 when the run does not have them. */
async function countDocumentTokens(
  config: RunConfig,
  tasks: readonly Task[],
  env: NodeJS.ProcessEnv,
): Promise<number[]> {
  const reader = await openDocumentReader(await openCache({ cache: config.cache, env }))
  try {
    const documentsOf = makeDocumentSource(reader, config.docs, config.tableFormat[0])
    const sizes: number[] = []
    for (const task of tasks) {
      const texts = (await documentsOf(task)).map(({ text }) => ({ number: 1, text, ocr: false }))
      sizes.push(countTokensCheaply(joinPages(texts)))
    }
    return sizes
  } finally {
    await reader.close()
  }
}
