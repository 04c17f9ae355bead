import PQueue from 'p-queue'
import { ProviderError } from '../../core/errors.ts'
import { type RetryOptions, withRetry } from '../../system/retry.ts'
import type { JudgeOutcome, JudgeRequest, ModelJudge } from './judge.ts'
import { type JudgeCache, judgeCacheKey } from './judge-cache.ts'

/** What a request was billed; null where unknown. */
export interface Bill {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly usd: number | null
}

/** One request to a chat model, whoever runs it. */
export interface Completion extends Bill {
  readonly text: string
}

export interface CompletionSettings {
  readonly temperature: number
  readonly seed: number
  readonly maxOutputTokens: number
  readonly signal: AbortSignal
}

export interface ModelJudgeOptions {
  /** As the user named the model. */
  readonly name: string
  /** Exactly one request; rejects with ProviderError. Must really send temperature and seed. */
  readonly complete: (prompt: string, settings: CompletionSettings) => Promise<Completion>
  /** What an answer that its provider broke off was billed; null, or absent: nothing came. */
  readonly billOf?: (failure: ProviderError) => Bill | null
  /** Null: every question is asked anew. */
  readonly cache: JudgeCache | null
  readonly retry: RetryOptions
  readonly batch?: boolean
  /** Requests at the same time. */
  readonly concurrency?: number
  readonly seed?: number
  /** What answers hang on beside the prompt and the name, such as the model's server. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Which repeat of the same scoring this is, 0 for the first: each has its own place in the cache and its own seed. */
  readonly repeat?: number
}

/** An answer out of form is asked for anew so many times, each with another seed. */
const formTries = 3

/**
 * A judge over a chat model: temperature 0, a seed, answers kept on disk once they are in form, the same question
 * asked once at a time, provider failures retried as everywhere. What fails in the end has value null.
 */
export function createModelJudge(options: ModelJudgeOptions): ModelJudge {
  const queue = new PQueue({ concurrency: options.concurrency ?? 4 })
  const underway = new Map<string, Promise<unknown>>()
  return {
    kind: 'model',
    name: options.name,
    batch: options.batch ?? false,
    async ask(request) {
      const key = keyOf(options, request)
      while (underway.has(key)) await underway.get(key)
      const work = askOnce(options, queue, key, request)
      underway.set(
        key,
        work.catch(() => null),
      )
      try {
        return await work
      } finally {
        underway.delete(key)
      }
    },
  }
}

function keyOf<T>(options: ModelJudgeOptions, request: JudgeRequest<T>): string {
  return judgeCacheKey({
    prompt: request.prompt,
    maxOutputTokens: request.maxOutputTokens,
    model: options.name,
    settings: options.settings ?? {},
    temperature: 0,
    seed: options.seed ?? 0,
    repeat: options.repeat ?? 0,
  })
}

async function askOnce<T>(
  options: ModelJudgeOptions,
  queue: PQueue,
  key: string,
  request: JudgeRequest<T>,
): Promise<JudgeOutcome<T>> {
  const kept = await options.cache?.read(key)
  const keptValue = kept === undefined || kept === null ? null : request.parse(kept)
  const spent: Spent = { calls: 0, inputTokens: 0, outputTokens: 0, usd: 0 }
  if (keptValue !== null) return { value: keptValue, failure: null, ...spent }
  let failure = ''
  for (let attempt = 0; attempt < formTries; attempt += 1) {
    try {
      const completion = await complete(options, queue, request, attempt, spent)
      const value = request.parse(completion.text)
      if (value !== null) {
        await options.cache?.write(key, completion.text)
        return { value, failure: null, ...spent }
      }
      failure = `answer out of form: ${completion.text.slice(0, 200)}`
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      return { value: null, failure: `${error.reason}: ${error.message}`, ...spent }
    }
  }
  return { value: null, failure, ...spent }
}

interface Spent {
  calls: number
  inputTokens: number
  outputTokens: number
  usd: number | null
}

function pay(spent: Spent, { inputTokens, outputTokens, usd }: Bill): void {
  spent.inputTokens += inputTokens ?? 0
  spent.outputTokens += outputTokens ?? 0
  spent.usd = spent.usd === null || usd === null ? null : spent.usd + usd
}

async function complete<T>(
  options: ModelJudgeOptions,
  queue: PQueue,
  request: JudgeRequest<T>,
  attempt: number,
  spent: Spent,
): Promise<Completion> {
  const settings = {
    temperature: 0,
    seed: (options.seed ?? 0) + 1000 * (options.repeat ?? 0) + attempt,
    maxOutputTokens: request.maxOutputTokens,
    signal: options.retry.signal,
  }
  return await queue.add(() =>
    withRetry(async () => {
      spent.calls += 1
      const completion = await options.complete(request.prompt, settings).catch((error: unknown) => {
        const billed = error instanceof ProviderError ? options.billOf?.(error) : null
        if (billed) pay(spent, billed)
        throw error
      })
      pay(spent, completion)
      return completion
    }, options.retry),
  )
}
