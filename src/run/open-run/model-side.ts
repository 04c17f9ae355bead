import type { RunConfig } from '../../config.ts'
import type { ModelHandle } from '../../core/model.ts'
import { builtInPricesNote, type PriceTable } from '../../models/known-models.ts'
import type { ModelSource } from '../../models/model-source.ts'
import type { Judge } from '../../score/contract/judge.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import { openPromptSets, type PromptSets } from '../plan/prompt-sets.ts'
import { findServer, gateModel, nameService } from './gated-model.ts'
import { type Gates, openGates } from './gates.ts'
import { openJudge } from './judge.ts'
import { type OpenAgents, openAgents } from './open-agents.ts'
import { openModels, openReaderModel, placeholderAttempt, requireLaterSystemMessages } from './open-models.ts'
import type { OpeningInput } from './opening-input.ts'
import { listUnusedPriceNotes, usesBuiltInPrices } from './prices.ts'

/** A planned attempt whose setting may be another word, by which a script chooses its lines. */
type AskingAttempt = Omit<PlannedAttempt, 'setting'> & { readonly setting: string }

/** The models of a run, who drives them, and the judge. */
export interface ModelSide {
  /** Who searches, by the value of `--agent`. */
  readonly agents: OpenAgents
  readonly prompts: PromptSets
  readonly judge: Judge
  /** Returns why the judge can rate no further attempt; null while it works. */
  judgeFailure(): string | null
  /** Returns the model of an attempt. A script chooses its lines by `setting`; shadow answers use `checkpoint`. */
  modelFor(planned: AskingAttempt): ModelHandle
  /** Returns the model of --reader-model for an attempt; null without one. */
  readerFor(planned: AskingAttempt): ModelHandle | null
  /** The name of that model in records; null without one. */
  readonly readerName: string | null
  /** Returns the provider and host whose rate limits apply to a model, by its name in records. */
  serviceFor(model: string): string
  /** Returns the host and port of a model's server; null for the default server of a provider. */
  serverFor(model: string): string | null
  /** Returns how many requests a service accepts at a time; Infinity while it has refused none. */
  limitOf(service: string): number
  /** The names of the models in records. */
  readonly modelNames: readonly string[]
  modelFacts(): Record<string, Record<string, unknown>>
  /** Notices of the models after the last attempt, one line each. */
  closingNotices(): string[]
}

/** The parts of the model side that other parts of the run need. */
interface OpenedModelSide extends ModelSide {
  readonly gates: Gates
  /** A handle of --reader-model for its facts; null without one. */
  readonly readerFacts: ModelHandle | null
  /**
   * Returns notices about prices: those of a file that no model has, and that budgets in US dollars rely on built-in prices,
   * which may be out of date.
   *
   * @param paidSearches the services that are paid for searches
   */
  priceNotices(paidSearches: readonly string[]): string[]
}

interface ModelSideInput extends OpeningInput {
  readonly prices: PriceTable
  /** Opens the cache folder, which contains a judge model's earlier replies. */
  openCache(): Promise<string>
}

/**
 * Opens the models under test, the agents, the prompts, the judge and the reader of pages. Requests to one service wait at
 * one gate. Sends no request that costs money.
 */
export async function openModelSide(input: ModelSideInput): Promise<OpenedModelSide> {
  const { config, tasks, prices, env, clock, signal, openCache, tell } = input
  const models = await openModels(config, prices, env)
  const gates = input.gates ?? openGates(config, undefined, clock)
  const agents = await openAgents(config, tasks, env, tell)
  const prompts = await openPromptSets(config.prompts)
  const questions = tasks.map(({ question }) => question)
  requireLaterSystemMessages(models, prompts, questions)
  let judgeFailure: string | null = null
  const judge = await openJudge({
    config,
    env,
    signal,
    openCache,
    prices: prices.models,
    gate: gates.service,
    onBroken: ({ message }) => {
      judgeFailure = message
    },
  })
  const reader = await openReaderModel(config, prices, env)
  const handleFor = (source: ModelSource, { task, setting, trial, seed }: AskingAttempt): ModelHandle => {
    const handle = source.forAttempt({ taskId: task.question.taskId, setting, trial, seed })
    return gateModel(handle, nameService(source.name, source.describe()), gates.service)
  }
  return {
    gates,
    agents,
    prompts,
    judge,
    judgeFailure: () => judgeFailure,
    modelFor: planned => handleFor(models.get(planned.model)!, planned),
    readerFor: planned => (reader === null ? null : handleFor(reader, planned)),
    readerName: reader?.name ?? null,
    readerFacts: reader?.forAttempt(placeholderAttempt) ?? null,
    serviceFor: model => nameService(model, models.get(model)?.describe() ?? {}),
    serverFor: model => findServer(models.get(model)?.describe() ?? {}),
    limitOf: service => gates.service.limitOf(service),
    modelNames: [...models.keys()],
    modelFacts: () => Object.fromEntries([...models].map(([name, source]) => [name, source.describe()])),
    closingNotices: () => [...models.values()].flatMap(source => source.closingNotice?.() ?? []),
    priceNotices: paidSearches => describePrices(config, prices, models, paidSearches),
  }
}

function describePrices(
  { budgetUsd, runBudgetUsd, judge, readerModel }: RunConfig,
  prices: PriceTable,
  models: ReadonlyMap<string, ModelSource>,
  paidSearches: readonly string[],
): string[] {
  const priced = [...models].map(([name, source]) => ({
    name,
    price: source.forAttempt(placeholderAttempt).price,
  }))
  const unused = listUnusedPriceNotes(prices, priced, [judge, readerModel ?? ''])
  const modelPrices = priced.map(({ price }) => price)
  const areBuiltIn =
    (budgetUsd !== null || runBudgetUsd !== null) && usesBuiltInPrices(modelPrices, paidSearches, prices)
  return areBuiltIn ? [...unused, builtInPricesNote()] : unused
}
