import { unchangedFork } from '../../core/arm.ts'
import type { CellClass } from '../../core/cell-classes.ts'
import { describeIntervention, type Intervention } from '../../core/fork.ts'
import { groupBy } from '../../core/group-by.ts'
import { compareRight, identifyGold, listItems, placeOfItem } from '../../core/score-items.ts'
import { type ClusteredValue, computeMean } from '../../score/statistics/clusters.ts'
import { computeMeanInterval, type MeanInterval, minComponents } from '../../score/statistics/intervals.ts'
import { computePairedDifference, type PairedDifference } from '../../score/statistics/paired-difference.ts'
import { type Entry, isScored, type ScoredEntry } from './entries.ts'
import { makeClusteredValue } from './measures.ts'

/**
 * Whether an intervention brings back more items of a class than repetition does. `unclear`: too few groups, or an interval
 * too wide to tell.
 */
export type CausalVerdict = 'confirmed' | 'not-confirmed' | 'unclear'

/** What one intervention brings back of the items that were lost to one class. */
export interface CausalRow {
  readonly lossClass: CellClass
  readonly intervention: string
  readonly kind: Intervention['kind']
  /** The share of all gold items that the source run lost to the class by its ledger; null when unknown. */
  readonly lost: number | null
  /** Lost items of the sources. */
  readonly items: number
  /** Scored forks with the intervention. */
  readonly forks: number
  /** Forks with the intervention that are unscored, such as diverged ones. */
  readonly unscored: number
  /** Scored forks in which the intervention changed nothing. */
  readonly withoutEffect: number
  /** The share of the items that come back with the intervention. */
  readonly cameBack: MeanInterval | null
  /** The share that comes back without a change. */
  readonly byChance: MeanInterval | null
  /** The first share minus the second, over the tasks that have both. */
  readonly difference: {
    readonly mean: number
    readonly low: number | null
    readonly high: number | null
  } | null
  /** The share of all gold items that comes back with the intervention; null when the losses of the source run are unknown. */
  readonly back: number | null
  /** The same without a change. */
  readonly backByChance: number | null
  /**
   * The share of the gold items that are right without the change and wrong with it, beyond chance; null without controls of the
   * same turns.
   */
  readonly newlyLost: number | null
  /**
   * The share that two controls of a turn lose against each other, which `newlyLost` does not contain. Null when no turn has
   * two controls, and `newlyLost` then contains what is lost by chance.
   */
  readonly newlyLostByChance: number | null
  readonly verdict: CausalVerdict
}

/** What the forks of a run say about the causes of its losses. */
export interface CausalWaterfall {
  readonly rows: readonly CausalRow[]
  /** How many of the lost points come back, in one sentence; null when the losses of the source run are unknown. */
  readonly sentence: string | null
  /** The classes that no intervention confirms, one sentence each. */
  readonly doubts: readonly string[]
}

/** Computes the causal waterfall of a run of forks; null when no fork is about a class. */
export function makeCausalWaterfall(
  entries: readonly Entry[],
  lost: Readonly<Record<string, number>> | null,
): CausalWaterfall | null {
  const rows = listCausalRows(entries, lost)
  if (rows.length === 0) return null
  return { rows, sentence: describeCauses(rows, lost), doubts: describeDoubts(rows) }
}

const shares = [0, 1] as const

/**
 * Computes which share of the lost items of each class comes back when one thing is changed, and how many come back by
 * repetition alone, from the same turns. Intervals are over groups of tasks.
 *
 * @param entries of forks that are about a class; others are left out
 * @param lost the share of all gold items that the source run lost to each class; null when unknown
 */
function listCausalRows(
  entries: readonly Entry[],
  lost: Readonly<Record<string, number>> | null,
): CausalRow[] {
  const forks = entries.filter(({ attempt }) => attempt.fork?.lossClass !== undefined)
  const byClass = groupBy(forks, ({ attempt }) => attempt.fork!.lossClass!)
  const bySize = [...byClass].sort(([a], [b]) => (lost?.[b] ?? 0) - (lost?.[a] ?? 0))
  return bySize.flatMap(([lossClass, ofClass]) => {
    const byArm = groupBy(ofClass, ({ attempt }) => describeIntervention(attempt.fork!.intervention))
    const controls = byArm.get(unchangedFork) ?? []
    return [...byArm]
      .filter(([intervention]) => intervention !== unchangedFork)
      .map(([intervention, ofArm]) => {
        const scored = ofArm.filter(isScored)
        const turns = new Set(ofArm.map(nameTurn))
        const ofTurns = controls.filter(entry => turns.has(nameTurn(entry)))
        const [changed, unchanged] = [listReturned(ofArm), listReturned(ofTurns)]
        const cameBack = computeMeanInterval(changed, shares)
        const difference = computePairedDifference(unchanged, changed, shares)
        return {
          lossClass,
          intervention,
          kind: ofArm[0]!.attempt.fork!.intervention.kind,
          lost: lost?.[lossClass] ?? null,
          items: countItems(ofArm),
          forks: scored.length,
          unscored: ofArm.length - scored.length,
          withoutEffect: scored.filter(({ attempt }) => attempt.fork?.tookEffect === false).length,
          cameBack,
          byChance: computeMeanInterval(unchanged, shares),
          difference: difference && { mean: difference.mean, low: difference.low, high: difference.high },
          back: sumBack(ofArm, lost?.[lossClass]),
          backByChance: sumBack(ofTurns, lost?.[lossClass]),
          ...measureNewlyLost(ofArm, ofTurns),
          verdict: judgeDifference(difference),
        }
      })
  })
}

/** Names the turn from which a fork is live. Forks of the same turn are compared. */
const nameTurn = ({ attempt: { fork } }: Entry): string => `${fork!.attemptId} ${fork!.atStep}`

/** For each item of a scored fork, what it had lost, and the part of that which came back: 0 to 1. */
function listItemsBack({ attempt, score: forkScore }: ScoredEntry): { lost: number; returned: number }[] {
  const scores = new Map(
    listItems(forkScore).map(item => [placeOfItem(identifyGold(item), item.turn), item.score]),
  )
  return (attempt.fork?.items ?? []).flatMap(({ id, turn, lost }) => {
    const score = scores.get(placeOfItem(id, turn)) ?? null
    // A judge that failed says nothing about the item.
    if (score === null) return []
    return [{ lost, returned: Math.min(1, Math.max(0, (score - (1 - lost)) / lost)) }]
  })
}

/** For each item of each scored fork, the part of its loss that came back: 0 to 1. */
function listReturned(entries: readonly Entry[]): ClusteredValue[] {
  return entries
    .filter(isScored)
    .flatMap(entry => listItemsBack(entry).map(({ returned }) => makeClusteredValue(entry, returned)))
}

/**
 * Returns the share of all gold items that comes back: what the class lost, times the part of it that came back in the forks.
 * As in the loss, an item of a task with few items counts more than one of a task with many.
 */
function sumBack(entries: readonly Entry[], lostShare: number | undefined): number | null {
  let [lostSum, backSum] = [0, 0]
  for (const entry of entries.filter(isScored))
    for (const { lost, returned } of listItemsBack(entry)) {
      const share = lost / listItems(entry.score).length
      lostSum += share
      backSum += share * returned
    }
  return lostShare === undefined || lostSum === 0 ? null : (lostShare * backSum) / lostSum
}

/** A scored fork beside the controls of its turn: which share of the gold items it lost, as a mean over these. */
interface ForkLoss {
  readonly entry: ScoredEntry
  readonly lost: number
  /** The same for one control beside the others; null when it is the only one. */
  readonly byChance: number | null
}

/** Measures what a change loses, against every control of the turn. */
function measureNewlyLost(
  entries: readonly Entry[],
  controls: readonly Entry[],
): Pick<CausalRow, 'newlyLost' | 'newlyLostByChance'> {
  const byTurn = groupBy(controls.filter(isScored), nameTurn)
  const losses = entries.filter(isScored).flatMap((entry): ForkLoss[] => {
    const ofTurn = byTurn.get(nameTurn(entry)) ?? []
    if (ofTurn.length === 0) return []
    const lost = computeMean(ofTurn.map(control => shareLost(control, entry)))
    const pairs = ofTurn.flatMap(a => ofTurn.flatMap(b => (a === b ? [] : shareLost(a, b))))
    return [{ entry, lost, byChance: pairs.length === 0 ? null : computeMean(pairs) }]
  })
  const meanLoss = (read: (loss: ForkLoss) => number | null): number | null => {
    const values = losses.flatMap(loss => {
      const value = read(loss)
      return value === null ? [] : [makeClusteredValue(loss.entry, value)]
    })
    return computeMeanInterval(values, shares)?.mean ?? null
  }
  const byChance = meanLoss(loss => loss.byChance)
  if (byChance === null) return { newlyLost: meanLoss(({ lost }) => lost), newlyLostByChance: null }
  const ofPairs = meanLoss(loss => (loss.byChance === null ? null : loss.lost))
  return { newlyLost: Math.max(0, ofPairs! - byChance), newlyLostByChance: byChance }
}

/** The share of the gold items that are right in a fork and wrong in another one of its turn. */
function shareLost(from: ScoredEntry, to: ScoredEntry): number {
  return compareRight(from.score, to.score).lost.length / listItems(to.score).length
}

function countItems(entries: readonly Entry[]): number {
  return new Set(
    entries.flatMap(({ attempt: { fork } }) =>
      (fork?.items ?? []).map(({ id, turn }) => `${fork!.attemptId} ${placeOfItem(id, turn)}`),
    ),
  ).size
}

/** A class is doubted when its intervention surely brings back fewer than this share of its items beyond chance. */
const doubtfulShare = 0.5

function judgeDifference(
  difference: Pick<PairedDifference, 'components' | 'high' | 'low' | 'mean'> | null,
): CausalVerdict {
  if (difference === null || difference.components < minComponents) return 'unclear'
  // Without an interval, all groups have the same difference.
  const { mean, low, high } = difference
  if ((low ?? mean) > 0) return 'confirmed'
  return (high ?? mean) < doubtfulShare ? 'not-confirmed' : 'unclear'
}

/** What the sentence about the waterfall says of each kind of intervention. */
const phrases: Readonly<Partial<Record<Intervention['kind'], string>>> = {
  give: 'when the missed documents are given',
  'context-policy': 'when old results are shortened instead of removed',
  'prompt-note': 'when the agent is asked to check its answer',
}

function phraseRow({ kind, intervention }: CausalRow): string {
  if (kind !== 'budget') return phrases[kind] ?? `with ${intervention}`
  return /searchCalls/.test(intervention) ? 'with twice the searches' : 'with twice the budget'
}

/**
 * Says in one sentence how many of the lost points come back with each change, and how many of these without it from the same
 * turns, in hundredths of all gold items; null when the losses of the source run are unknown.
 */
function describeCauses(
  rows: readonly CausalRow[],
  lost: Readonly<Record<string, number>> | null,
): string | null {
  if (lost === null || rows.length === 0) return null
  const all = Object.values(lost).reduce((sum, share) => sum + share, 0)
  const byPhrase = groupBy(rows, phraseRow)
  const points = (share: number): string => String(Math.round(share * 1_000) / 10)
  const parts = [...byPhrase].map(([phrase, ofPhrase]) => {
    const back = sumKnown(ofPhrase.map(row => row.back))
    const byChance = sumKnown(ofPhrase.map(row => row.backByChance))
    const chance = `${byChance === null ? 'an unknown number' : points(byChance)} by chance alone`
    return { phrase, back, chance }
  })
  const [first, ...others] = parts.sort((a, b) => (b.back ?? -1) - (a.back ?? -1))
  const describe = ({ back, phrase, chance }: (typeof parts)[number], verb: string): string =>
    `${back === null ? 'an unknown number' : points(back)}${verb} ${phrase} (${chance})`
  const list = [describe(first!, ' come back'), ...others.map(part => describe(part, ''))].join(', ')
  return `Of ${points(all)} points lost online, ${list}.`
}

/** Adds up what is known; null when nothing is. */
function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** Says which classes of the ledger no intervention confirms. */
function describeDoubts(rows: readonly CausalRow[]): string[] {
  const classes = [...groupBy(rows, row => row.lossClass)]
  const unclear = classes.filter(
    ([, ofClass]) =>
      ofClass.every(({ verdict }) => verdict !== 'confirmed') &&
      ofClass.some(({ verdict }) => verdict === 'unclear'),
  )
  const refuted = classes.filter(([, ofClass]) => ofClass.every(({ verdict }) => verdict === 'not-confirmed'))
  const unclearNames = unclear.map(([lossClass]) => lossClass).join(', ')
  return [
    ...refuted.map(([lossClass, failed]) => describeRefuted(lossClass, failed)),
    ...(unclear.length === 0
      ? []
      : [
          `${unclearNames}: too few groups of tasks, or too wide an interval, to tell. A larger --sample or --repeat narrows the interval.`,
        ]),
  ]
}

function describeRefuted(lossClass: string, failed: readonly CausalRow[]): string {
  const names = failed.map(({ intervention }) => intervention).join(' or ')
  const isAsked = failed.every(({ kind }) => kind === 'prompt-note')
  return `${lossClass}: ${names} brings back fewer than half of these items beyond repetition. ${isAsked ? 'A request to check the answer does not undo this loss.' : "The ledger's class does not name their cause."}`
}
