import { defaultAgent } from '../../../agents/online-options.ts'
import { answersFromWeb, settings } from '../../../agents/registry.ts'
import type { RunConfig } from '../../config.ts'
import { joinPages } from '../../core/document.ts'
import { groupBy } from '../../core/group-by.ts'
import type { ModelHandle, TokenPrice } from '../../core/model.ts'
import type { Task } from '../../core/task.ts'
import { builtInPricesNote } from '../../models/known-models.ts'
import { countTokensCheaply } from '../../models/token-count.ts'
import { formatDollars as dollarsText } from '../../report/tables/value-text.ts'
import { openDocumentReader } from '../open-run/document-side.ts'
import { documentSource } from '../open-run/documents.ts'
import { openAgents } from '../open-run/open-agents.ts'
import { openCache } from '../open-run/open-cache.ts'
import {
  openModels,
  openReaderModel,
  placeholderAttempt,
  requireLaterSystemMessages,
} from '../open-run/open-models.ts'
import { readPrices, searchUsd, unusedPriceNotes, usesBuiltInPrices } from '../open-run/prices.ts'
import { listArms, type PlannedArm } from '../plan/arms.ts'
import { attemptCaps, maxSpending, runCaps, withReaderPrice } from '../plan/caps.ts'
import { checkOptions } from '../plan/check-options.ts'
import { openPromptSets, requirePrompts } from '../plan/prompt-sets.ts'
import { checkpointEstimate } from './checkpoint-estimate.ts'
import { type PowerEstimate, powerEstimate, powerLines } from './power-estimate.ts'
import { dollars, type Spending, sum, times } from './spending.ts'

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

/** The lower end of what public agents use: 20 to 100 model calls, 100k to 260k tokens of context. */
const typicalOnline = { tokens: 250_000, outputShare: 0.05, searchCalls: 10 }
const typicalAnswerTokens = 1_500
const promptTokens = 700
/** The 250 chunks of the AOE paper's retriever, of about 200 tokens each. */
const ragTokens = 50_000

/** Estimates what a run would cost at most by its caps, and typically. Reads tasks and documents; sends no requests to models. */
export async function estimateRun(
  config: RunConfig,
  tasks: readonly Task[],
  env: NodeJS.ProcessEnv,
): Promise<Estimate> {
  await checkOptions(config, tasks)
  const agents = await openAgents(config, tasks, env)
  const prices = await readPrices(config.prices)
  const models = await openModels(config, prices, env)
  const reader = (await openReaderModel(config, prices, env))?.forAttempt(placeholderAttempt) ?? null
  const isFree = config.web.startsWith('sealed') || config.web.startsWith('replay:')
  const usdOfSearch = (service: string) => searchUsd(service, isFree, prices)
  const sizes = await documentTokens(config, tasks, env)
  const prompts = await openPromptSets(config.prompts)
  const questions = tasks.map(({ question }) => question)
  requirePrompts(prompts, questions, config)
  requireLaterSystemMessages(models, prompts, questions)
  const repeats = config.trials * config.cot.length * prompts.size
  const handles = [...models.values()].map(source => source.forAttempt(placeholderAttempt))
  const searched = isFree || !config.setting.some(answersFromWeb) ? [] : config.search
  const rows = [...models.keys()].flatMap((model, index) =>
    config.setting.flatMap(setting => {
      const common = { config, setting, model, handle: handles[index]!, reader, sizes, repeats, usdOfSearch }
      const byAgent = [
        ...groupBy(
          listArms(config, setting),
          ({ values }) => (values?.agent as string | undefined) ?? defaultAgent,
        ),
      ]
      return byAgent.map(([agent, arms]) => ({
        ...estimateSetting({ ...common, arms }),
        agent: byAgent.length > 1 ? agents.nameOf(agent) : null,
      }))
    }),
  )
  const caps = runCaps(config)
  const checkpoints = [...models.keys()].flatMap((model, index) =>
    checkpointRow(config, model, handles[index]!, tasks.length * repeats),
  )
  const allRows = [...rows, ...checkpoints]
  const atMost = sum(allRows.map(row => row.atMost))
  const attempts = rows.reduce((total, row) => total + row.attempts, 0)
  const typicalSum = sum(allRows.map(row => row.typical))
  return {
    attempts,
    power: powerEstimate(tasks, { attempts, usd: typicalSum.usd }),
    rows,
    checkpoints,
    atMost: within(atMost, caps),
    typical: within(typicalSum, caps, true),
    goalReading: config.goalReading && config.setting.some(answersFromWeb),
    builtInPrices: usesBuiltInPrices(
      [...handles, ...(reader === null ? [] : [reader])].map(({ price }) => price),
      searched,
      prices,
    ),
    unusedPrices: unusedPriceNotes(
      prices,
      [...models.keys()].map((name, at) => ({ name, price: handles[at]!.price })),
      [config.judge, config.readerModel ?? ''],
    ),
  }
}

/** The facts on which the spending of a model in a setting depends. */
interface SettingToEstimate {
  readonly config: RunConfig
  readonly setting: string
  /** The arms of one agent. */
  readonly arms: readonly PlannedArm[]
  readonly model: string
  readonly handle: ModelHandle
  /** The model of --reader-model; null without one. */
  readonly reader: ModelHandle | null
  /** Tokens of each task's documents. */
  readonly sizes: readonly number[]
  /** How many attempts each task has in each arm. */
  readonly repeats: number
  /** US dollars for each search of a service; null when unknown. */
  usdOfSearch(service: string): number | null
}

/** What another agent typically spends is not known. */
const unknownSpending: Spending = { tokens: null, searchCalls: null, usd: null }

function estimateSetting({
  config,
  arms,
  setting,
  model,
  handle,
  reader,
  sizes,
  repeats,
  usdOfSearch,
}: SettingToEstimate): Omit<EstimateRow, 'agent'> {
  const searchUsdOf = ({ values }: PlannedArm): number | null =>
    usdOfSearch((values?.search as string | undefined) ?? config.search[0]!)
  const priced = answersFromWeb(setting) ? withReaderPrice(handle, reader) : handle
  const mostOf = (arm: PlannedArm): Spending => maxSpending(config, setting, priced, searchUsdOf(arm))
  const typical = arms.flatMap(arm =>
    sizes.map(documents => {
      const { rag, values, control } = arm
      const { agent = defaultAgent } = values ?? {}
      if (agent !== defaultAgent && control === undefined) return unknownSpending
      const mostShown = rag?.contextTokens ?? ragTokens
      return within(
        estimateTypical({
          ...{ setting, documents, mostShown, config },
          model: handle,
          usdOfSearch: searchUsdOf(arm),
        }),
        mostOf(arm),
        true,
      )
    }),
  )
  const attempts = sizes.length * repeats * arms.length
  return {
    setting,
    model,
    attempts,
    atMost: times(sum(arms.map(mostOf)), sizes.length * repeats),
    typical: times(sum(typical), repeats),
  }
}

/** Estimates the shadow answers of all online attempts of a model. */
function checkpointRow(config: RunConfig, model: string, handle: ModelHandle, tries: number): EstimateRow[] {
  if (config.checkpointTokens.length === 0 || !config.setting.includes('online')) return []
  // A control of another setting makes one request and has no checkpoints.
  const attempts = tries * listArms(config, 'online').filter(arm => arm.setting === undefined).length
  const shadowAnswers = checkpointEstimate(config, handle, typicalTokens(config))
  const setting = 'checkpoints'
  return [
    {
      setting,
      model,
      agent: null,
      attempts: attempts * shadowAnswers.answers,
      atMost: times(shadowAnswers.atMost, attempts),
      typical: times(shadowAnswers.typical, attempts),
    },
  ]
}

function typicalTokens(config: RunConfig): number {
  return Math.min(typicalOnline.tokens, attemptCaps(config, 'online').tokens ?? Number.POSITIVE_INFINITY)
}

/** Counts the tokens of each task's documents; 0 when the run does not have them. */
async function documentTokens(
  config: RunConfig,
  tasks: readonly Task[],
  env: NodeJS.ProcessEnv,
): Promise<number[]> {
  const reader = await openDocumentReader(await openCache({ cache: config.cache, env }))
  try {
    const documentsOf = documentSource(reader, config.docs, config.tableFormat[0])
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

/** The facts on which the typical spending of an attempt depends. */
interface TypicalAttempt {
  readonly setting: string
  /** Tokens of the task's documents. */
  readonly documents: number
  /** Tokens of chunks in a prompt of the rag setting. */
  readonly mostShown: number
  readonly model: { readonly contextWindow: number | null; readonly price: TokenPrice | null }
  /** US dollars for each search; null when unknown. */
  readonly usdOfSearch: number | null
  readonly config: RunConfig
}

function estimateTypical(attempt: TypicalAttempt): Spending {
  const { setting, documents, mostShown, model, usdOfSearch, config } = attempt
  if (answersFromWeb(setting)) {
    const caps = attemptCaps(config, setting)
    const tokens = typicalTokens(config)
    const searchCalls = Math.min(typicalOnline.searchCalls, caps.searchCalls ?? Number.POSITIVE_INFINITY)
    const output = Math.round(tokens * typicalOnline.outputShare)
    const usd = dollars(model.price, tokens - output, output)
    const searches = usdOfSearch === null ? null : usdOfSearch * searchCalls
    return { tokens, searchCalls, usd: usd === null || searches === null ? null : usd + searches }
  }
  const window = (model.contextWindow ?? Number.POSITIVE_INFINITY) - typicalAnswerTokens
  const { source, needs } = settings.get(setting)
  const inPrompt = source === 'documents' ? Math.min(documents, needs?.documentTokens ?? documents) : 0
  const shown = setting === 'rag' ? Math.min(inPrompt, mostShown) : inPrompt
  const requests = needs?.requests ?? 1
  const input = requests * Math.max(0, Math.min(promptTokens + shown, window))
  const output = requests * typicalAnswerTokens
  return { tokens: input + output, searchCalls: 0, usd: dollars(model.price, input, output) }
}

/** Limits spending by caps. With `keepUnknown`, unknown spending stays unknown instead of becoming the cap. */
function within(
  spending: Spending,
  caps: Readonly<Partial<Record<keyof Spending, number | null>>>,
  keepUnknown = false,
): Spending {
  const bounded = (kind: keyof Spending): number | null => {
    const [value, cap = null] = [spending[kind], caps[kind]]
    if (cap === null || (value === null && keepUnknown)) return value
    return Math.min(value ?? cap, cap)
  }
  return { tokens: bounded('tokens'), searchCalls: bounded('searchCalls'), usd: bounded('usd') }
}

/** Formats an estimate as lines of text. */
export function estimateLines(estimate: Estimate): string[] {
  const rows = [...estimate.rows, ...estimate.checkpoints].map(row => [
    row.agent === null ? row.setting : `${row.setting} agent=${row.agent}`,
    row.model,
    String(row.attempts),
    ...cells(row.atMost, 'no bound'),
    ...cells(row.typical, 'unknown'),
  ])
  const total = [
    'all',
    '',
    String(estimate.attempts),
    ...cells(estimate.atMost, 'no bound'),
    ...cells(estimate.typical, 'unknown'),
  ]
  const head = ['setting', 'model', 'attempts', 'tokens', 'searches', 'US$', 'tokens', 'searches', 'US$']
  const table = [head, ...rows, total]
  const widths = head.map((_, at) => Math.max(...table.map(line => line[at]?.length ?? 0)))
  const aligned = table.map(line =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const note = estimate.builtInPrices ? [builtInPricesNote()] : []
  return [
    'No model was called and nothing was spent. The first three figures are the most that the caps allow, the last three are typical. The judge is not included.',
    ...aligned,
    ...powerLines(estimate.power),
    ...(estimate.checkpoints.length === 0
      ? []
      : [
          'checkpoints: answers on copies of the conversations (checkpointTokens). The row counts answers, not attempts.',
        ]),
    ...(estimate.goalReading
      ? [
          'goal reading: the most that the caps allow includes the requests that read pages, at the price of the dearer model. The typical figures do not include them.',
        ]
      : []),
    ...note,
    ...estimate.unusedPrices,
  ]
}

function cells({ tokens, searchCalls, usd }: Spending, unbounded: string): string[] {
  const count = (value: number | null) => (value === null ? unbounded : value.toLocaleString('en-US'))
  return [count(tokens), count(searchCalls), usd === null ? 'unknown' : dollarsText(usd)]
}
