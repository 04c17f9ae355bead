import { answersFromWeb, settings } from '../../../agents/registry.ts'
import type { RunConfig } from '../../config.ts'
import type { TokenPrice } from '../../core/model.ts'
import { pickAttemptCaps } from '../plan/caps.ts'
import { priceTokens, type Spending } from './spending.ts'

/** The lower end of what public agents use: 20 to 100 model calls, 100k to 260k tokens of context. */
const typicalOnline = { tokens: 250_000, outputShare: 0.05, searchCalls: 10 }

const typicalAnswerTokens = 1_500

const promptTokens = 700

/** The 250 chunks of the AOE paper's retriever, of about 200 tokens each. */
export const ragTokens = 50_000

export function countTypicalTokens(config: RunConfig): number {
  return Math.min(typicalOnline.tokens, pickAttemptCaps(config, 'online').tokens ?? Number.POSITIVE_INFINITY)
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

export function estimateTypical(attempt: TypicalAttempt): Spending {
  const { setting, documents, mostShown, model, usdOfSearch, config } = attempt
  if (answersFromWeb(setting)) {
    const caps = pickAttemptCaps(config, setting)
    const tokens = countTypicalTokens(config)
    const searchCalls = Math.min(typicalOnline.searchCalls, caps.searchCalls ?? Number.POSITIVE_INFINITY)
    const output = Math.round(tokens * typicalOnline.outputShare)
    const usd = priceTokens(model.price, tokens - output, output)
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
  return { tokens: input + output, searchCalls: 0, usd: priceTokens(model.price, input, output) }
}

/** Limits spending by caps. With `keepUnknown`, unknown spending stays unknown instead of becoming the cap. */
export function limitSpending(
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
