import type { RunConfig } from '../../config.ts'
import type { BudgetCaps } from '../../core/budget.ts'
import { type CellClass, cellClasses } from '../../core/cell-classes.ts'
import { ConfigError, DataError } from '../../core/errors.ts'
import { seededRandom } from '../../core/runtime.ts'
import { listItems, mapFirstScores } from '../../core/score-items.ts'
import { isUnscoredCause } from '../../core/termination.ts'
import { sumLosses } from '../../report/model/waterfall.ts'
import { computeClusterMeans, computeMean } from '../../score/statistics/clusters.ts'
import { seedFromText } from '../../system/hash.ts'
import { pickAttemptCaps } from '../plan/caps.ts'
import type { ForkPlan, ForkToPlan } from '../plan/fork-plan.ts'
import { describeLostItem, findLosses, groupByStep, type SealedLoss } from './fork-place.ts'
import { controlArm, type ForkArm, planFacts, planStepForks } from './plan-forks.ts'
import { forkedSetting, openSourceAttempt, type SourceAttempt, type SourceRun } from './source-run.ts'

/** How `causes` samples and repeats. */
export interface CausesChoice {
  /** The most attempts of each loss class. */
  readonly sample: number
  /** Forks of each arm and of its control. */
  readonly repeats: number
  readonly seed: number
}

/** The note that asks the agent to check its answer. */
const checkNote =
  'Before you answer, compare every value of the answer with the documents that you have read. Fill in every row and every column whose value they contain, in the form that was asked for.'

const give: ForkArm = { intervention: { kind: 'give', value: null }, document: 'missed' }
const note: ForkArm = { intervention: { kind: 'prompt-note', value: null }, text: checkNote }

/** The arm with twice the searches of the source run; none when they have no cap. */
function doubleSearchBudgets({ searchCalls }: BudgetCaps): ForkArm[] {
  if (searchCalls === undefined) return []
  const caps = { searchCalls: 2 * searchCalls }
  return [{ intervention: { kind: 'budget', value: `searchCalls=${caps.searchCalls}` }, caps }]
}

interface RemedyContext {
  readonly caps: BudgetCaps
  readonly contextPolicy: string
}

/** The smallest interventions that undo the loss of each class; null for classes that no intervention undoes. */
const remedies: Readonly<Record<CellClass, ((context: RemedyContext) => ForkArm[]) | null>> = {
  correct: null,
  budget: ({ caps }) => [
    {
      intervention: { kind: 'budget', value: 'all=double' },
      caps: Object.fromEntries(Object.entries(caps).map(([kind, cap]) => [kind, 2 * cap])),
    },
  ],
  unreadable: () => [note],
  'gold-blank': null,
  invented: () => [note],
  'look-alike': () => [note],
  'not-surfaced': ({ caps }) => [give, ...doubleSearchBudgets(caps)],
  'not-opened': () => [give],
  'not-parsed': () => [give],
  'not-retrieved': null,
  'cut-output': null,
  'not-in-view': () => [give],
  unread: null,
  'cut-from-window': ({ contextPolicy }) =>
    contextPolicy === 'shorten'
      ? [give]
      : [
          {
            intervention: { kind: 'context-policy', value: 'shorten' },
            values: { contextPolicy: 'shorten' },
          },
          give,
        ],
  wrong: () => [note],
  'missed-row': () => [note],
  'no-evidence': null,
  'not-in-answer': () => [note],
}

/** The forks that find out why a run lost its items, with their sources. */
export interface CausesPlan {
  readonly plan: ForkPlan
  readonly sources: ReadonlyMap<string, SourceAttempt>
  /** Why sampled attempts cannot be forked, one sentence each. */
  readonly refusals: readonly string[]
}

/**
 * Plans forks for a sample of a run's lost items, stratified by loss class: the smallest interventions for each class, and
 * as many controls.
 *
 * @throws ConfigError [causes-no-loss]
 */
export async function planCauses(
  run: SourceRun,
  config: RunConfig,
  { sample, repeats, seed }: CausesChoice,
): Promise<CausesPlan> {
  const { attempts, scores } = run.records
  const firstScores = mapFirstScores(scores)
  const scored = attempts.filter(
    ({ attemptId, setting, options, termination }) =>
      setting === forkedSetting &&
      !('control' in options) &&
      !isUnscoredCause(termination.cause) &&
      firstScores.get(attemptId)?.status === 'scored',
  )
  const sources = new Map<string, SourceAttempt>()
  const forks: ForkToPlan[] = []
  const refusals = new Set<string>()
  for (const lossClass of cellClasses) {
    const findRemedies = remedies[lossClass]
    if (findRemedies === null) continue
    const withLoss = scored.filter(({ attemptId }) =>
      listItems(firstScores.get(attemptId)!).some(item => item.class === lossClass && (item.score ?? 1) < 1),
    )
    for (const { attemptId, options } of drawSome(withLoss, sample, `${seed} ${lossClass}`)) {
      const context = {
        caps: pickAttemptCaps(config, forkedSetting),
        contextPolicy: options['context-policy'] ?? 'shorten',
      }
      try {
        const source = sources.get(attemptId) ?? (await openSourceAttempt(run, attemptId))
        sources.set(attemptId, source)
        const losses = findLosses(source).filter(loss => loss.lossClass === lossClass)
        forks.push(...planLosses(run, source, losses, { arms: findRemedies(context), repeats }))
      } catch (error) {
        if (!(error instanceof DataError)) throw error
        refusals.add(error.message)
      }
    }
  }
  if (forks.length === 0) {
    const [refusal = 'Nothing can be forked.'] = refusals
    throw new ConfigError(
      `${run.folder}: no attempt of the setting ${forkedSetting} that can be forked lost an item in a class that an intervention undoes. ${refusal}`,
      { code: 'causes-no-loss' },
    )
  }
  const plan = { ...planFacts(run), forks, lost: sumLostShares(scored, firstScores) }
  return { plan, sources, refusals: [...refusals] }
}

/** Plans the forks for the losses of one class: one set for each step, about all items that were lost there. */
function planLosses(
  run: SourceRun,
  source: SourceAttempt,
  losses: readonly SealedLoss[],
  { arms, repeats }: { readonly arms: readonly ForkArm[]; readonly repeats: number },
): ForkToPlan[] {
  return groupByStep(losses).flatMap(({ step, losses: atStep, missed }) => {
    // A loss without a known document cannot be undone by giving one.
    const usable = arms.filter(({ document }) => document === undefined || missed.length > 0)
    if (usable.length === 0) return []
    return planStepForks(run, source, {
      ...{ step, repeats, missed },
      arms: [controlArm, ...usable],
      about: { lossClass: atStep[0]!.lossClass, items: atStep.map(({ item }) => describeLostItem(item)) },
    })
  })
}

/** Draws some of a list, the same ones for the same seed. */
function drawSome<T>(list: readonly T[], most: number, seed: string): T[] {
  const random = seededRandom(seedFromText(seed))
  return list
    .map(element => ({ element, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, most)
    .map(({ element }) => element)
}

/** The share of the gold items that the run lost to each class by its ledger, as means over tasks. */
function sumLostShares(
  attempts: SourceRun['records']['attempts'],
  scores: ReadonlyMap<string, SourceRun['records']['scores'][number]>,
): Record<string, number> {
  const losses = attempts.flatMap(({ attemptId, taskId }) => {
    const sum = sumLosses(scores.get(attemptId)!)
    return sum === null ? [] : [{ cluster: taskId, classes: sum.classes }]
  })
  const names = new Set(losses.flatMap(({ classes }) => [...classes.keys()]))
  return Object.fromEntries(
    [...names].map(name => {
      const values = losses.map(({ cluster, classes }) => ({ cluster, value: classes.get(name) ?? 0 }))
      return [name, computeMean([...computeClusterMeans(values).values()])]
    }),
  )
}
