import { seededRandom, shuffle } from '../core/runtime.ts'
import type { Score } from '../core/score.ts'
import { type Item, listItems } from '../core/score-items.ts'
import { cohensKappa } from './statistics/correlation.ts'

/** One item for a person to mark. The person fills in `mark`: a score of 0 to 1, or right or wrong. */
export interface AuditItem {
  readonly attemptId: string
  readonly scorer: string
  readonly judge: string
  /** The place in the gold: row (0-based) and column of a cell, path of a field, or index (0-based) of an element. */
  readonly place: readonly (string | number)[]
  readonly gold: string
  readonly predicted: string
  readonly rule: string
  readonly score: number
  readonly mark: string
  /** The mark of a second person; '' when missing. */
  readonly mark2: string
  /** Whether a person chose the item. It is then not part of the random sample, and has figures of its own. */
  readonly isChosen: boolean
}

/** Rules that need no check by a person: nothing was compared, or the two values are the same. */
const plainRules = new Set([
  'equal',
  'both-empty',
  'unmatched-row',
  'unmatched-element',
  'no-answer',
  'unreadable-answer',
  'string_exact',
  'integer_exact',
  'number_exact',
  'boolean_exact',
])

/** Rules about a missing value on one side or both: `gold_null`, `both_missing`. */
const isAbsence = (rule: string): boolean => /^(?:both|gold|extracted)_/.test(rule)

/** Collects items for an audit, one score at a time, so that only the sample is kept in memory. */
interface AuditSampler {
  add(score: Score): void
  /** The sample, spread evenly over the rules as far as possible. */
  sample(): AuditItem[]
}

/**
 * Draws a seeded sample of items that a judge decided or that rules other than plain equality decided.
 *
 * @param size the number of items
 */
export function createAuditSampler(size: number, seed: number): AuditSampler {
  const random = seededRandom(seed)
  const piles = new Map<string, { readonly sample: AuditItem[]; seen: number }>()
  return {
    add(score) {
      for (const item of listItems(score)) {
        const entry = makeAuditItem(score, item)
        if (entry === null) continue
        const pile = piles.get(entry.rule) ?? { sample: [], seen: 0 }
        piles.set(entry.rule, pile)
        pile.seen += 1
        // Reservoir sampling: every item of a rule has the same chance.
        const place = pile.sample.length < size ? pile.sample.length : Math.floor(random() * pile.seen)
        if (place < size) pile.sample[place] = entry
      }
    },
    sample() {
      const shuffledPiles = [...piles.values()].map(pile => shuffle(pile.sample, random))
      const sample: AuditItem[] = []
      for (
        let round = 0;
        sample.length < size && shuffledPiles.some(pile => round < pile.length);
        round += 1
      ) {
        for (const pile of shuffledPiles) {
          const cell = pile[round]
          if (cell !== undefined && sample.length < size) sample.push(cell)
        }
      }
      return sample
    },
  }
}

/** An item for an audit; null when no person needs to check it. */
export function makeAuditItem(score: Score, item: Item): AuditItem | null {
  const { predicted, rule } = item
  return predicted === null || plainRules.has(rule) || isAbsence(rule) ? null : makeChosenItem(score, item)
}

/** An item that a person chose to mark; null when a judge failed, so that there is no score to compare with. */
export function makeChosenItem(score: Score, item: Item): AuditItem | null {
  const { gold, predicted, rule } = item
  if (item.score === null) return null
  const { attemptId, scorer, judge } = score
  return {
    attemptId,
    scorer,
    judge,
    place: placeItem(item),
    gold,
    predicted: predicted ?? '',
    rule,
    score: item.score,
    mark: '',
    mark2: '',
    isChosen: false,
  }
}

function placeItem(item: Item): (string | number)[] {
  const place = 'goldRow' in item ? [item.goldRow, item.column] : [item.path ?? item.index ?? item.id]
  return item.turn === undefined ? place : [...place, `turn ${item.turn + 1}`]
}

/** Whether a person's mark agrees with the score of an item. Null without a mark, and for an item that a person chose. */
export function agreesWithMark({ mark: text, score, isChosen }: AuditItem): boolean | null {
  const mark = readMark(text)
  return mark === null || isChosen ? null : labelScore(mark) === labelScore(score)
}

/** Agreement between a person's marks and the scores, for one rule or for all. */
export interface AuditAgreement {
  readonly rule: string
  readonly marked: number
  /** Share of items that both call right (0.5 or more) or both call wrong. */
  readonly agreement: number
  /** Cohen's kappa; null when undefined. */
  readonly kappa: number | null
}

/** The name of the row for items that a person chose. */
const chosenByHand = 'chosen by hand'

/**
 * Computes the agreement for `all` sampled items, for each rule, and for the items that a person chose, which are no random
 * sample. Items without a readable mark are left out.
 */
export function computeAuditAgreement(items: readonly AuditItem[]): AuditAgreement[] {
  const marked = items.flatMap(({ mark: text, rule, score, isChosen }) => {
    const mark = readMark(text)
    if (mark === null) return []
    return [{ rule: isChosen ? chosenByHand : rule, scored: labelScore(score), marked: labelScore(mark) }]
  })
  const rules = [...new Set(marked.map(cell => cell.rule))].filter(rule => rule !== chosenByHand).sort()
  return ['all', ...rules, chosenByHand].flatMap(rule => {
    const group = marked.filter(cell => (rule === 'all' ? cell.rule !== chosenByHand : cell.rule === rule))
    if (group.length === 0) return []
    const scored = group.map(cell => cell.scored)
    const people = group.map(cell => cell.marked)
    const agreed = scored.filter((value, i) => value === people[i]).length
    return [
      { rule, marked: group.length, agreement: agreed / group.length, kappa: cohensKappa(scored, people) },
    ]
  })
}

/** The agreement of two persons, and of each with the scores. Every figure is over the items that both sides marked. */
export interface MarkerAgreement {
  readonly sides:
    | 'first marker and second marker'
    | 'first marker and scorer'
    | 'second marker and scorer'
    | 'consensus and scorer'
  readonly items: number
  /** Share of the items that both sides call right or both call wrong; null without items. */
  readonly agreement: number | null
  /** Cohen's kappa; null when undefined. */
  readonly kappa: number | null
}

/**
 * Computes how far two persons agree with each other, and each with the scores. Their consensus is the label of the items
 * that both marked alike. Items that a person chose are left out, because they are no random sample.
 */
export function computeMarkerAgreement(items: readonly AuditItem[]): MarkerAgreement[] {
  const sampled = items.filter(({ isChosen }) => !isChosen)
  const labelled = sampled.map(item => ({
    first: labelMark(item.mark),
    second: labelMark(item.mark2),
    scorer: labelScore(item.score),
  }))
  const consensus = labelled.filter(({ first, second }) => first === second)
  return [
    compareMarks(
      'first marker and second marker',
      labelled.map(({ first, second }) => [first, second]),
    ),
    compareMarks(
      'first marker and scorer',
      labelled.map(({ first, scorer }) => [first, scorer]),
    ),
    compareMarks(
      'second marker and scorer',
      labelled.map(({ second, scorer }) => [second, scorer]),
    ),
    compareMarks(
      'consensus and scorer',
      consensus.map(({ first, scorer }) => [first, scorer]),
    ),
  ]
}

function compareMarks(
  sides: MarkerAgreement['sides'],
  pairs: readonly (readonly [string | null, string | null])[],
): MarkerAgreement {
  const markedPairs = pairs.flatMap(([left, right]) =>
    left === null || right === null ? [] : [{ left, right }],
  )
  const agreed = markedPairs.filter(({ left, right }) => left === right).length
  return {
    sides,
    items: markedPairs.length,
    agreement: markedPairs.length === 0 ? null : agreed / markedPairs.length,
    kappa:
      markedPairs.length === 0
        ? null
        : cohensKappa(
            markedPairs.map(pair => pair.left),
            markedPairs.map(pair => pair.right),
          ),
  }
}

function labelMark(mark: string): string | null {
  const score = readMark(mark)
  return score === null ? null : labelScore(score)
}

const labelScore = (score: number): string => (score >= 0.5 ? 'right' : 'wrong')

/** Whether a mark says that the person cannot decide. Such an item counts as not marked. */
export function isUnsure(text: string): boolean {
  return /^(?:unsure|不确定)$/i.test(text.trim())
}

/** Reads a mark: `1`, `0.4`, right, wrong, yes, no, 对, 错. Null for anything else. */
export function readMark(text: string): number | null {
  const mark = text.trim().toLowerCase()
  if (/^(?:right|correct|yes|y|true|对|正确|是)$/.test(mark)) return 1
  if (/^(?:wrong|incorrect|no|n|false|错|错误|否)$/.test(mark)) return 0
  const score = mark === '' ? Number.NaN : Number(mark)
  return score >= 0 && score <= 1 ? score : null
}
