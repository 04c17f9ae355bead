import PQueue from 'p-queue'
import { ProviderError } from '../../core/errors.ts'
import { type RetryOptions, withRetry } from '../../system/retry.ts'
import type { JudgeOutcome, JudgeRequest, ModelJudge, PublishedJudgePrompts } from '../contract/judge.ts'
import { type JudgeCache, judgeCacheKey } from './judge-cache.ts'

/** The bill of a request; a value is null when unknown. */
export interface Bill {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly usd: number | null
}

/** The reply to one request to a chat model, with its bill. */
export interface Completion extends Bill {
  readonly text: string
}

/** The settings of one request. */
interface CompletionSettings {
  readonly temperature: number
  readonly seed: number
  readonly maxOutputTokens: number
  readonly signal: AbortSignal
}

/** Options of `createModelJudge`. */
export interface ModelJudgeOptions {
  /** As the user named the model. */
  readonly name: string
  /** Makes exactly one request; rejects with ProviderError. Must send temperature and seed. */
  readonly complete: (prompt: string, settings: CompletionSettings) => Promise<Completion>
  /** The bill of a reply that its provider broke off. Null or absent when nothing was received. */
  readonly billOf?: (failure: ProviderError) => Bill | null
  /** Null: replies are not cached. */
  readonly cache: JudgeCache | null
  readonly retry: RetryOptions
  readonly batch?: boolean
  /** AOE's published prompts. Absent: Tablehunt's own prompts. */
  readonly published?: PublishedJudgePrompts | undefined
  /** The number of concurrent requests. */
  readonly concurrency?: number
  readonly seed?: number
  /** Other settings that replies depend on, such as the model's server. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** The number of this repeat of the same scoring, from 0. Each repeat has its own cache entries and its own seed. */
  readonly repeat?: number
}

/** The number of requests until a reply is in the required form. Each has another seed. */
const mostTries = 3

/**
 * Creates a judge from a chat model: temperature 0, a fixed seed, valid replies cached, provider failures retried.
 * The same question is asked only once at a time. A question that fails in the end has value null.
 */
export function createModelJudge(options: ModelJudgeOptions): ModelJudge {
  const queue = new PQueue({ concurrency: options.concurrency ?? 4 })
  const underway = new Map<string, Promise<unknown>>()
  return {
    kind: 'model',
    name: options.name,
    batch: options.batch ?? false,
    published: options.published,
    async ask(request) {
      const key = makeCacheKey(options, request)
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

function makeCacheKey<T>(options: ModelJudgeOptions, request: JudgeRequest<T>): string {
  return judgeCacheKey({
    prompt: request.prompt,
    maxOutputTokens: request.maxOutputTokens,
    model: options.name,
    settings: options.settings ?? {},
    temperature: 0,
    seed: options.seed ?? 0,
    repeat: options.repeat ?? 0,
    ...(options.published === undefined ? {} : { judgePromptsSha256: options.published.hash }),
  })
}

async function askOnce<T>(
  options: ModelJudgeOptions,
  queue: PQueue,
  key: string,
  request: JudgeRequest<T>,
): Promise<JudgeOutcome<T>> {
  const cachedReply = await options.cache?.read(key)
  const keptValue = cachedReply === undefined || cachedReply === null ? null : request.parse(cachedReply)
  const spent: JudgeSpending = { calls: 0, inputTokens: 0, outputTokens: 0, usd: 0 }
  if (keptValue !== null) return { value: keptValue, failure: null, ...spent }
  let failure = ''
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    try {
      const completion = await complete({ options, queue, request, attempt, spent })
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

interface JudgeSpending {
  calls: number
  inputTokens: number
  outputTokens: number
  usd: number | null
}

function addBill(spent: JudgeSpending, { inputTokens, outputTokens, usd }: Bill): void {
  spent.inputTokens += inputTokens ?? 0
  spent.outputTokens += outputTokens ?? 0
  spent.usd = spent.usd === null || usd === null ? null : spent.usd + usd
}

interface QueuedRequest {
  readonly options: ModelJudgeOptions
  readonly queue: PQueue
  readonly request: JudgeRequest<unknown>
  /** 0-based number of the request for a reply in the required form. */
  readonly attempt: number
  /** The cost is added here. */
  readonly spent: JudgeSpending
}

async function complete({ options, queue, request, attempt, spent }: QueuedRequest): Promise<Completion> {
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
        if (billed) addBill(spent, billed)
        throw error
      })
      addBill(spent, completion)
      return completion
    }, options.retry),
  )
}
