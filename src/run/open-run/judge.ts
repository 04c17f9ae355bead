import { join } from 'node:path'
import type { UsageMetadata } from '@langchain/core/messages'
import { ConfigError, ProviderError, RunError } from '../../core/errors.ts'
import type { TokenPrice } from '../../core/model.ts'
import { systemClock } from '../../core/runtime.ts'
import { plainFailure } from '../../models/failure-body.ts'
import type { PriceTable } from '../../models/known-models.ts'
import type { ModelSource } from '../../models/model-source.ts'
import { createModel } from '../../models/registry.ts'
import { type Judge, noJudge, rulesJudge } from '../../score/contract/judge.ts'
import { createJudgeCache } from '../../score/judge/judge-cache.ts'
import { type Bill, createModelJudge } from '../../score/judge/model-judge.ts'
import { readJudgePrompts } from '../../score/judge/published-prompts.ts'
import type { RateGate } from '../../system/rate-gate.ts'
import { defaultRetry } from '../../system/retry.ts'
import { gateModel, nameService } from './gated-model.ts'
import { type CacheInput, openCache } from './open-cache.ts'
import { placeholderAttempt } from './open-models.ts'

/** The options that choose the judge and its parameters. */
export interface JudgeOptions {
  /** `none`, `rules`, or a model as `--model` names it. */
  readonly judge: string
  readonly judgeBatch: boolean
  readonly judgePrompts: string | null
  /** Milliseconds. */
  readonly requestTimeout: number
  readonly seed: number
}

export interface JudgeInput {
  readonly config: JudgeOptions
  /** Opens the cache folder, which contains a judge model's earlier replies. */
  openCache(): Promise<string>
  readonly env: NodeJS.ProcessEnv
  /**
   * Prices by model; they take precedence over the built-in prices. By default, only the built-in prices
   * apply.
   */
  readonly prices?: PriceTable['models']
  readonly signal: AbortSignal
  /**
   * Limits its requests together with the other requests of the run. When absent, its requests are not
   * limited.
   */
  readonly gate?: RateGate
  /**
   * Called once when the judge counts as broken; its further requests then fail without being sent. When absent, the
   * request ends with the error.
   */
  readonly onBroken?: (error: RunError) => void
  /** The number of this repeat of the same scoring, from 0. Each repeat has its own entries in the cache. */
  readonly repeat?: number
}

/**
 * Opens the judge that --judge names: `none`, `rules`, or a model of the registry.
 *
 * @throws ConfigError [unknown-model, folder-not-writable, needs-judge-model] DataError [unreadable-judge-prompts,
 * invalid-judge-prompts]
 */
export async function openJudge(input: JudgeInput): Promise<Judge> {
  const { judge: spec, judgeBatch, judgePrompts, seed } = input.config
  if (judgePrompts !== null && (spec === 'none' || spec === 'rules'))
    throw new ConfigError(
      `judgePrompts ${judgePrompts}: --judge ${spec} asks no model. Add --judge PROVIDER:NAME, or remove judgePrompts from the config file.`,
      { code: 'needs-judge-model' },
    )
  if (spec === 'none') return noJudge
  if (spec === 'rules') return rulesJudge
  const published = judgePrompts === null ? undefined : await readJudgePrompts(judgePrompts)
  const cache = await input.openCache()
  const source = await openJudgeModel(input)
  const repeat = input.repeat ?? 0
  const failures = new JudgeFailures(source.name, input.onBroken)
  const facts = source.describe()
  const { baseUrl, topP, reasoningEffort } = facts
  const service = nameService(source.name, facts)
  return createModelJudge({
    name: published === undefined ? source.name : `${source.name}+prompts@${published.hash.slice(0, 12)}`,
    published,
    // The settings of the model that may change its replies.
    settings: {
      baseUrl,
      topP,
      reasoningEffort,
      ...(source.answersSha256 !== undefined && { answersSha256: source.answersSha256 }),
    },
    async complete(prompt, { maxOutputTokens, seed: promptSeed, signal }) {
      failures.requireWorking()
      // Loaded with the first request, because a judge of rules needs no messages.
      const { HumanMessage } = await import('@langchain/core/messages')
      const handle = source.forAttempt({ taskId: 'judge', setting: 'judge', trial: repeat, seed: promptSeed })
      const model = input.gate === undefined ? handle : gateModel(handle, service, input.gate)
      const answer = await model
        .call([new HumanMessage(prompt)], { tools: [], maxOutputTokens, signal })
        .catch(failures.refuse)
      failures.reset()
      return { text: answer.text, ...computeBill(answer.usage_metadata, model.price) }
    },
    billOf: ({ answer }) =>
      answer === null
        ? null
        : computeBill(answer.usage_metadata, source.forAttempt(placeholderAttempt).price),
    cache: createJudgeCache(join(cache, 'judge')),
    retry: { ...defaultRetry, clock: systemClock, signal: input.signal },
    batch: judgeBatch,
    seed,
    repeat,
  })
}

/** How a judge outside of a run is opened. */
interface LoneJudgeOptions {
  /** Aborts its requests. */
  readonly signal?: AbortSignal
  /** The number of this repeat of the same scoring, from 0. */
  readonly repeat?: number
  /** Receives a line when a temporary cache is used. */
  readonly tell?: CacheInput['tell']
}

/**
 * Opens the judge of a command that makes no run.
 *
 * @throws those of `openJudge`
 */
export async function openJudgeAlone(
  config: JudgeOptions & { readonly cache: string | null },
  { signal = new AbortController().signal, repeat = 0, tell }: LoneJudgeOptions = {},
): Promise<Judge> {
  const { env } = process
  return await openJudge({
    config,
    openCache: () => openCache({ cache: config.cache, env, tell }),
    env,
    signal,
    repeat,
  })
}

/** After this many identical failures in a row, the judge counts as broken. */
const identicalFailures = 3

/** Counts how often the judge's server refuses its key or does not know the model: no further attempt could be scored. */
class JudgeFailures {
  readonly #name: string
  readonly #onBroken: JudgeInput['onBroken']
  #last: ProviderError | null = null
  #count = 0

  constructor(name: string, onBroken: JudgeInput['onBroken']) {
    this.#name = name
    this.#onBroken = onBroken
  }

  /** @throws the last failure when the judge counts as broken */
  requireWorking(): void {
    if (this.#last !== null && this.#count >= identicalFailures) throw this.#last
  }

  readonly refuse = (error: unknown): never => {
    if (!(error instanceof ProviderError) || error.fatalService === null || error.retryable) throw error
    this.#count = error.message === this.#last?.message ? this.#count + 1 : 1
    this.#last = error
    if (this.#count < identicalFailures) throw error
    const broken = new RunError(
      `--judge ${this.#name} failed: ${plainFailure(this.#name, error.message)}. Check its key, its name and its address, then run the same command again.`,
      { code: 'provider-failed', cause: error },
    )
    if (this.#onBroken === undefined) throw broken
    if (this.#count === identicalFailures) this.#onBroken(broken)
    throw error
  }

  reset(): void {
    this.#count = 0
  }
}

async function openJudgeModel({ config, env, prices }: JudgeInput): Promise<ModelSource> {
  try {
    return await createModel(config.judge, {
      // A judge's prompts are short and never fill its window, so its real size does not matter.
      contextWindow: 32_000,
      temperature: 0,
      requestTimeoutMs: config.requestTimeout,
      toolProtocol: 'text',
      seed: config.seed,
      env,
      ...(prices !== undefined && { prices }),
    })
  } catch (error) {
    throw error instanceof ConfigError
      ? new ConfigError(`--judge: ${error.message}`, { cause: error, code: error.code })
      : error
  }
}

function computeBill(billed: UsageMetadata | undefined, price: TokenPrice | null): Bill {
  const inputTokens = countOrNull(billed?.input_tokens)
  const outputTokens = countOrNull(billed?.output_tokens)
  if (inputTokens === null || outputTokens === null || price === null)
    return { inputTokens, outputTokens, usd: null }
  const cached = Math.min(inputTokens, countOrNull(billed?.input_token_details?.cache_read) ?? 0)
  const input = (inputTokens - cached) * price.input + cached * price.cachedInput
  return { inputTokens, outputTokens, usd: (input + outputTokens * price.output) / 1e6 }
}

/** Null when the server did not bill a valid number. */
function countOrNull(billed: number | undefined): number | null {
  return billed !== undefined && Number.isFinite(billed) && billed >= 0 ? Math.round(billed) : null
}
