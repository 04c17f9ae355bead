import { areSameOptions, withoutOptions } from '../../core/arm.ts'
import { type CellClass, cellClasses } from '../../core/cell-classes.ts'
import { listItems, type ScoreItems } from '../../core/score-items.ts'
import { type Entry, groupByDomain, groupByKey, isScored } from './entries.ts'
import { averageClusters } from './measures.ts'
import type { GroupKey } from './report-group.ts'
import type { LossClass, WaterfallRow } from './report-rows.ts'

/** What is true of the items of each class, in words that fit one item and many. None says why they are lost. */
export const lossMeanings: Readonly<Record<LossClass, string>> = {
  budget: 'a budget ended the attempt before it had an answer',
  unreadable: 'the answer could not be read',
  'gold-blank':
    'the gold has no value, but the value of the answer is in the documents (left out of the hallucination rate)',
  invented: 'the gold has no value, but the answer has one, which no document contains',
  'look-alike': 'the answer has the value of another page or document, which the model was shown',
  'not-surfaced': 'the agent did not find a document with the gold value',
  'not-opened': 'the agent did not open a document with the gold value',
  'not-parsed': 'the agent opened a document with the gold value but got no text from it',
  'not-retrieved': 'no retrieved chunk contains the gold value',
  'cut-output': 'the output limit cut the answer before the item',
  'not-in-view': 'the model was not shown the part of a document with the gold value',
  unread: 'the gold value was not found, and Tablehunt could not read the document or some of its pages',
  'cut-from-window':
    'the model was shown the value, but it was removed from the context window before the answer',
  wrong:
    'the model was shown the value (or asked closed-book), but the answer has another value or only part of it',
  'missed-row':
    'the answer has no row for it, although the model was shown the document (or asked closed-book)',
  'no-evidence': 'the gold value was not found in any document',
  'not-in-answer': 'the model was shown the value (or asked closed-book), but the answer lacks it',
  unknown: 'the class is unknown: the evidence or the documents of the task are unknown',
}

/** Says what is true of the items of a class that an arm lost. Only closed-book arms are said to be asked closed-book. */
export function describeLoss(name: LossClass, { setting }: { readonly setting: string }): string {
  return setting === 'closed-book'
    ? lossMeanings[name]
    : lossMeanings[name].replace(/ \(or[^()]*closed-book\)/, '')
}

/** The classes of lost items, in the order of the loss ledger. */
export const lossClasses: readonly LossClass[] = [
  ...cellClasses.filter((name): name is Exclude<CellClass, 'correct'> => name !== 'correct'),
  'unknown',
]

/** The recall of one attempt, and the share of gold items lost to each class. They add up to 1. */
interface Losses {
  readonly recall: number
  /** `unknown` contains losses that cannot be classified, because the evidence or the documents are unknown. */
  readonly classes: ReadonlyMap<LossClass, number>
}

/**
 * Adds up the losses of an answer by class, as shares of the gold items. Items on which a judge failed are left out, as
 * in recall. Returns null when no item is left.
 */
export function sumLosses(score: ScoreItems): Losses | null {
  const items = listItems(score).filter(item => item.score !== null)
  if (items.length === 0) return null
  const classes = new Map<LossClass, number>()
  let reached = 0
  for (const { score: credit, class: name } of items) {
    if (credit === null) continue
    reached += credit
    if (name === 'correct' || credit >= 1) continue
    const lossClass = name ?? 'unknown'
    classes.set(lossClass, (classes.get(lossClass) ?? 0) + (1 - credit) / items.length)
  }
  return { recall: reached / items.length, classes }
}

function makeWaterfallRow(key: GroupKey, domain: string, entries: readonly Entry[]): WaterfallRow | null {
  const losses = entries.filter(isScored).flatMap(({ score, attempt }) => {
    const attemptLosses = sumLosses(score)
    return attemptLosses === null ? [] : [{ ...attemptLosses, cluster: attempt.taskId }]
  })
  const mean = (readShare: (loss: Losses) => number): number | null =>
    averageClusters(losses.map(loss => ({ cluster: loss.cluster, value: readShare(loss) })))
  const recall = mean(loss => loss.recall)
  if (recall === null) return null
  const classes: Partial<Record<LossClass, number>> = {}
  for (const name of lossClasses) {
    const share = mean(loss => loss.classes.get(name) ?? 0)
    if (share !== null && share > 0) classes[name] = share
  }
  const { setting, model, options, scorer, judge } = key
  return { setting, domain, model, options, scorer, judge, n: losses.length, recall, classes }
}

/** Computes where each arm lost gold items: recall, and the share of each class of the loss ledger. */
export function listWaterfallRows(entries: readonly Entry[]): WaterfallRow[] {
  const rows = groupByKey(entries).flatMap(({ key, entries: armEntries }) =>
    [...groupByDomain(armEntries), ['all', armEntries] as const].flatMap(
      ([domain, group]) => makeWaterfallRow(key, domain, group) ?? [],
    ),
  )
  return rows.map(row => {
    const control =
      row.setting === 'online' ? rows.find(candidate => isFoundOnlyControl(candidate, row)) : undefined
    return control === undefined ? row : { ...row, foundOnly: control.recall }
  })
}

/** Whether a row is the found-only control of an online row: same options, apart from the control and the cut. */
function isFoundOnlyControl(control: WaterfallRow, online: WaterfallRow): boolean {
  return (
    control.options.control === 'found-only' &&
    areSameOptions(withoutOptions(control.options, ['control', 'cut']), online.options) &&
    control.domain === online.domain &&
    control.model === online.model &&
    control.scorer === online.scorer &&
    control.judge === online.judge
  )
}
