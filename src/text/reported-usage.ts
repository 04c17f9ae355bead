import type { UsageMetadata } from '@langchain/core/messages'
import { isObject } from './json.ts'

/** The token counts of one usage report, as a server names them; null when it does not report one. */
interface ReportedTokens {
  readonly prompt: number | null
  /** Tokens that came from a cache. */
  readonly cached: number | null
  /** Tokens that were written to a cache. */
  readonly written: number | null
  readonly completion: number | null
  readonly reasoning: number | null
  /** The sum of all tokens. */
  readonly total: number | null
  /** Cached input is counted beside the prompt, as Anthropic and Bedrock do without a total. */
  readonly isCacheBeside: boolean
}

/** A usage in LangChain's form. Input includes cached tokens, and output includes reasoning. */
export type BilledUsage = UsageMetadata & {
  /** True when the counts of the report do not add up in any known form, so that the tokens are a guess. */
  readonly uncertain?: true
}

type CountKind = Exclude<keyof ReportedTokens, 'isCacheBeside'>

/** Returns a count of tokens. Some servers send it as a text. Null for any other value. */
export function readCount(value: unknown): number | null {
  if (typeof value === 'string' && /^\d+$/.test(value)) return Number(value)
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}

/**
 * The names of the counts in usage reports, in small letters with underscores: OpenAI's two interfaces, Anthropic, Bedrock,
 * Gemini, DeepSeek, Moonshot and Together, DashScope, OpenRouter, Perplexity and SGLang, LangChain, Inspect AI, AI SDK; then the
 * servers with names of their own: Ollama, llama.cpp, watsonx, Text Generation Inference, Aleph Alpha.
 */
const countNames: Readonly<Record<CountKind, readonly string[]>> = {
  prompt: [
    ...['prompt_tokens', 'input_tokens', 'prompt_token_count', 'input_token_count', 'prompt_eval_count'],
    ...['tokens_evaluated', 'num_tokens_prompt_total', 'prompt_n', 'input_length'],
  ],
  cached: [
    ...['cached_tokens', 'prompt_cache_hit_tokens', 'cache_read_input_tokens', 'cached_content_token_count'],
    ...['cache_read', 'input_tokens_cache_read', 'cached_input_tokens', 'cache_read_input_token_count'],
  ],
  written: [
    ...[
      'cache_creation_input_tokens',
      'cache_creation_tokens',
      'cache_write_tokens',
      'cache_write_input_tokens',
    ],
    ...['cache_creation', 'input_tokens_cache_write', 'cache_write_input_token_count'],
  ],
  completion: [
    ...['completion_tokens', 'output_tokens', 'candidates_token_count', 'output_token_count', 'eval_count'],
    ...[
      'tokens_predicted',
      'generated_token_count',
      'num_tokens_generated',
      'predicted_n',
      'generated_tokens',
    ],
  ],
  reasoning: ['reasoning_tokens', 'thoughts_token_count', 'reasoning'],
  total: ['total_tokens', 'total_token_count'],
}

const kindByName = new Map(
  Object.entries(countNames).flatMap(([kind, names]) =>
    names.map(name => [name, kind as CountKind] as const),
  ),
)

/** Names of cached input that Anthropic and Bedrock use. */
const besideNames = ['cache_read_input_tokens', 'cache_creation_input_tokens', 'cache_write_input_tokens']

/** Reads a usage report in the names of any server. Where a report has a count twice, the larger one holds. */
export function readTokens(usage: unknown): ReportedTokens {
  const tokens: { -readonly [kind in CountKind]: number | null } = {
    prompt: null,
    cached: null,
    written: null,
    completion: null,
    reasoning: null,
    total: null,
  }
  const names = new Set<string>()
  let toolPrompt = 0
  const collect = (report: Readonly<Record<string, unknown>>): void => {
    for (const [key, value] of Object.entries(report)) {
      const name = key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
      const kind = kindByName.get(name)
      const count = readCount(value)
      if (count !== null) names.add(name)
      if (name === 'tool_use_prompt_token_count') toolPrompt = count ?? 0
      if (kind !== undefined && count !== null) tokens[kind] = Math.max(count, tokens[kind] ?? 0)
      else if (isObject(value) && (name.endsWith('_details') || name === 'tokens')) collect(value)
      else if (isObject(value) && kind !== undefined) {
        const { total, ...details } = value
        collect({ ...details, [key]: total })
      }
    }
  }
  if (isObject(usage)) collect(usage)
  // Gemini counts what its tools return beside the prompt.
  if (tokens.prompt !== null) tokens.prompt += toolPrompt
  const isCacheBeside =
    tokens.total === null && names.has('input_tokens') && besideNames.some(name => names.has(name))
  return { ...tokens, isCacheBeside }
}

/**
 * Joins two usage reports of one answer, from chunks of a stream. Reports are cumulative, so a later one replaces an earlier
 * one; when each has a count that the other has not, the larger of each count holds.
 */
export function joinTokens(earlier: ReportedTokens | null, later: ReportedTokens): ReportedTokens {
  if (earlier === null) return later
  const kinds = Object.keys(countNames) as CountKind[]
  const hasAll = (one: ReportedTokens, other: ReportedTokens): boolean =>
    kinds.every(kind => (one[kind] ?? 0) >= (other[kind] ?? 0))
  if (hasAll(later, earlier)) return later
  if (hasAll(earlier, later)) return earlier
  const larger = (kind: CountKind): number | null => {
    const [before, after] = [earlier[kind], later[kind]]
    return before === null || after === null ? (before ?? after) : Math.max(before, after)
  }
  const counts = Object.fromEntries(kinds.map(kind => [kind, larger(kind)])) as Record<
    CountKind,
    number | null
  >
  // Neither total is the sum of these counts.
  return { ...counts, total: null, isCacheBeside: earlier.isCacheBeside || later.isCacheBeside }
}

/**
 * The forms of usage reports: which counts are outside the prompt or the completion. The first form whose counts add up to
 * the total holds. OpenAI and DeepSeek count all inside; Anthropic and Bedrock count cached input beside the prompt, some
 * gateways only a part of it; xAI and Gemini count reasoning beside the completion.
 */
const forms = [
  { cached: false, written: false, reasoning: false },
  { cached: true, written: true, reasoning: false },
  { cached: false, written: false, reasoning: true },
  { cached: true, written: true, reasoning: true },
  { cached: true, written: false, reasoning: false },
  { cached: false, written: true, reasoning: false },
  { cached: true, written: false, reasoning: true },
  { cached: false, written: true, reasoning: true },
] as const
type Form = (typeof forms)[number]

/**
 * Reconciles the counts of a usage report. Cached input is never counted as output. A report whose counts do not add up
 * in any known form is marked as uncertain; what nothing in it explains then counts as output.
 *
 * @param isRestReasoning true for an interface that counts reasoning in the total alone, so that a rest is certain
 * @returns null when the report has no input tokens: every request has some, and routers without a usage send zeros
 */
export function reconcileUsage(reported: ReportedTokens, isRestReasoning = false): BilledUsage | null {
  const { prompt, completion } = reported
  const [cached, written, reasoning] = [reported.cached ?? 0, reported.written ?? 0, reported.reasoning ?? 0]
  if (prompt === null || prompt + cached + written === 0) return null
  const inputOf = (form: Form): number => prompt + (form.cached ? cached : 0) + (form.written ? written : 0)
  const sumOf = (form: Form): number => inputOf(form) + (completion ?? 0) + (form.reasoning ? reasoning : 0)
  // A whole cannot be smaller than its parts.
  const possible = forms.filter(
    form =>
      (!reported.isCacheBeside || (form.cached && form.written)) &&
      inputOf(form) >= cached + written &&
      (form.reasoning || completion === null || reasoning <= completion),
  )
  // An answer of unknown length leaves every form open. A total of 0 is none.
  const total = completion === null ? null : reported.total || null
  // Some gateways leave cached input out of the total too.
  const isWithoutCache = (form: Form): boolean =>
    cached + written > prompt && total === sumOf(form) - (inputOf(form) - prompt)
  const match = possible.find(form => total === null || total === sumOf(form) || isWithoutCache(form))
  const rest = total === null ? 0 : total - sumOf(forms[0])
  const isOutside = !isRestReasoning && rest >= cached + written
  const form =
    match ??
    possible.find(candidate => candidate.cached === isOutside && candidate.written === isOutside) ??
    possible[0]!
  const unexplained = match === undefined && total !== null ? Math.max(0, total - sumOf(form)) : 0
  const input = inputOf(form)
  const output = (completion ?? Number.NaN) + (form.reasoning ? reasoning : 0) + unexplained
  const details = {
    ...(reported.cached !== null && { cache_read: cached }),
    ...(written > 0 && { cache_creation: written }),
  }
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    ...(Object.keys(details).length > 0 && { input_token_details: details }),
    ...(reported.reasoning !== null && { output_token_details: { reasoning } }),
    ...(match === undefined && !(isRestReasoning && unexplained > 0) && { uncertain: true as const }),
  }
}
