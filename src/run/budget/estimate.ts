import type { RunConfig } from '../../config.ts'
import { joinPages } from '../../core/document.ts'
import type { TokenPrice } from '../../core/model.ts'
import { builtInPricesNote } from '../../core/price-table.ts'
import type { Task } from '../../core/task.ts'
import { countTokensCheaply } from '../../models/token-count.ts'
import { openDocumentReader } from '../grounds/document-reader.ts'
import { documentSource } from '../grounds/documents.ts'
import { defaultCache } from '../grounds/grounds.ts'
import { nobody, openModels } from '../grounds/open-models.ts'
import { armsOf } from '../plan/arms.ts'
import { openPromptSets, requirePrompts } from '../plan/prompt-sets.ts'
import { requireSound } from '../plan/require-sound.ts'
import { attemptCaps, mostSpent, runCaps } from './caps.ts'
import { readPrices, relyOnBuiltIn, searchUsd } from './prices.ts'

/** Tokens, searches and dollars; null: no bound, or a price that nobody knows. */
export interface Spending {
  readonly tokens: number | null
  readonly searchCalls: number | null
  readonly usd: number | null
}

export interface EstimateRow {
  readonly setting: string
  readonly model: string
  readonly attempts: number
  /** What the caps let all of these attempts spend. */
  readonly atMost: Spending
  readonly typical: Spending
}

export interface Estimate {
  readonly attempts: number
  readonly rows: readonly EstimateRow[]
  /** All rows together, within the run's own budgets. */
  readonly atMost: Spending
  readonly typical: Spending
  /** True where dollars above come from the built-in table. */
  readonly builtInPrices: boolean
}

/** Public agents' habits (20 to 100 model calls, some 100k to 260k tokens of context), at their lower end. */
const typicalOnline = { tokens: 250_000, outputShare: 0.05, searchCalls: 10 }
const typicalAnswerTokens = 1_500
const promptTokens = 700
/** As many chunks as the published retriever gives, of some 200 tokens. */
const ragTokens = 50_000

/** What a run would cost at most by its caps, and what is typical. Reads the tasks and their documents; asks nobody. */
export async function estimateRun(
  config: RunConfig,
  tasks: readonly Task[],
  env: NodeJS.ProcessEnv,
): Promise<Estimate> {
  await requireSound(config, tasks)
  const prices = await readPrices(config.prices)
  const models = await openModels(config, prices, env)
  const isFree = config.web.startsWith('sealed') || config.web.startsWith('replay:')
  const usdOfSearch = searchUsd(config.search, isFree, prices)
  const sizes = await documentTokens(config, tasks, env)
  const prompts = await openPromptSets(config.prompts)
  requirePrompts(
    prompts,
    tasks.map(({ question }) => question),
  )
  const repeats = config.trials * config.cot.length * prompts.size
  const handles = [...models.values()].map(source => source.forAttempt(nobody))
  const searched = isFree || !config.setting.includes('online') ? null : config.search
  const rows = [...models.keys()].flatMap((model, index) => {
    const handle = handles[index]!
    return config.setting.map((setting): EstimateRow => {
      const most = mostSpent(config, setting, handle, usdOfSearch)
      const arms = armsOf(config, setting)
      const typical = arms.flatMap(({ rag }) => {
        const shown = rag?.contextTokens ?? ragTokens
        return sizes.map(size => typicalOf(setting, size, shown, handle, usdOfSearch, config))
      })
      const attempts = tasks.length * repeats * arms.length
      const atMost = times(most, attempts)
      return { setting, model, attempts, atMost, typical: times(sum(typical), repeats) }
    })
  })
  const caps = runCaps(config)
  const atMost = sum(rows.map(row => row.atMost))
  return {
    attempts: rows.reduce((total, row) => total + row.attempts, 0),
    rows,
    atMost: within(atMost, caps),
    typical: within(sum(rows.map(row => row.typical)), caps, true),
    builtInPrices: relyOnBuiltIn(
      handles.map(handle => handle.price),
      searched,
      prices,
    ),
  }
}

/** Tokens of each task's documents, 0 where they are not at hand. */
async function documentTokens(
  config: RunConfig,
  tasks: readonly Task[],
  env: NodeJS.ProcessEnv,
): Promise<number[]> {
  const reader = await openDocumentReader(config.cache ?? defaultCache(env))
  try {
    const documentsOf = documentSource(reader, config.docs)
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

function typicalOf(
  setting: string,
  documents: number,
  mostShown: number,
  model: { readonly contextWindow: number | null; readonly price: TokenPrice | null },
  usdOfSearch: number | null,
  config: RunConfig,
): Spending {
  if (setting === 'online') {
    const caps = attemptCaps(config, setting)
    const tokens = Math.min(typicalOnline.tokens, caps.tokens ?? Number.POSITIVE_INFINITY)
    const searchCalls = Math.min(typicalOnline.searchCalls, caps.searchCalls ?? Number.POSITIVE_INFINITY)
    const output = Math.round(tokens * typicalOnline.outputShare)
    const usd = dollars(model.price, tokens - output, output)
    const searches = usdOfSearch === null ? null : usdOfSearch * searchCalls
    return { tokens, searchCalls, usd: usd === null || searches === null ? null : usd + searches }
  }
  const window = (model.contextWindow ?? Number.POSITIVE_INFINITY) - typicalAnswerTokens
  const shown = setting === 'rag' ? Math.min(documents, mostShown) : documents
  const input = Math.max(0, Math.min(promptTokens + shown, window))
  const usd = dollars(model.price, input, typicalAnswerTokens)
  return { tokens: input + typicalAnswerTokens, searchCalls: 0, usd }
}

function dollars(price: TokenPrice | null, input: number, output: number): number | null {
  return price === null ? null : (input * price.input + output * price.output) / 1e6
}

function times(one: Spending, by: number): Spending {
  const each = (value: number | null): number | null => (value === null ? null : value * by)
  return { tokens: each(one.tokens), searchCalls: each(one.searchCalls), usd: each(one.usd) }
}

function sum(all: readonly Spending[]): Spending {
  const over = (kind: keyof Spending): number | null =>
    all.reduce<number | null>((total, one) => {
      const value = one[kind]
      return total === null || value === null ? null : total + value
    }, 0)
  return { tokens: over('tokens'), searchCalls: over('searchCalls'), usd: over('usd') }
}

/** A cap bounds what is unbounded too; what is typical stays unknown where it is unknown. */
function within(
  all: Spending,
  caps: Readonly<Partial<Record<keyof Spending, number>>>,
  keepUnknown = false,
): Spending {
  const bounded = (kind: keyof Spending): number | null => {
    const [value, cap] = [all[kind], caps[kind]]
    if (cap === undefined || (value === null && keepUnknown)) return value
    return Math.min(value ?? cap, cap)
  }
  return { tokens: bounded('tokens'), searchCalls: bounded('searchCalls'), usd: bounded('usd') }
}

/** The estimate as lines of text. */
export function estimateLines(estimate: Estimate): string[] {
  const rows = estimate.rows.map(row => [
    row.setting,
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
    'Nothing was asked or spent. First three figures: at most, by the caps; last three: typical. A judge is not counted.',
    ...aligned,
    ...note,
  ]
}

function cells({ tokens, searchCalls, usd }: Spending, unbounded: string): string[] {
  const count = (value: number | null) => (value === null ? unbounded : value.toLocaleString('en-US'))
  return [count(tokens), count(searchCalls), usd === null ? 'unknown' : usd.toFixed(2)]
}
