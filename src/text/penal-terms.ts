import { type Duration, durationForm, isSameDuration, readDuration } from './durations.ts'

/** What a sentence of a court imposes for a time. */
type PenaltyKind = 'imprisonment' | 'probation' | 'detention' | 'supervision' | 'loss-of-rights'

/** A duration, with the penalty that it belongs to. */
interface PenalTerm extends Duration {
  /** Null when the text does not name the penalty. */
  readonly kind: PenaltyKind | null
}

const kinds: readonly (readonly [PenaltyKind, string])[] = [
  ['probation', '缓刑考验期|缓刑|缓行|緩刑|probation(?:ary)?|suspended(?:\\s+sentence)?'],
  ['imprisonment', '有期徒刑|徒刑|刑期|imprisonment|imprisoned|prison|jail|custody|incarceration'],
  ['detention', '拘役|detention'],
  ['supervision', '管制|public surveillance'],
  ['loss-of-rights', '剥夺政治权利|deprivation of political rights'],
]
const kindForm = kinds.map(([, form]) => form).join('|')
const fillerForm =
  "判处|判决|决定执行|执行|宣告|并处|附加|期限为?|为期|被告人?|\\b(?:sentenced|to|a|an|the|period|term|of|for|in|with|fixed[- ]term)\\b|['’]s?|[:：.。\\s]+"
const token = new RegExp(
  `(?<duration>${durationForm})|(?<kind>${kindForm})|(?<separator>[,，;；、]|\\band\\b)|(?<filler>${fillerForm})`,
  'giuy',
)
const longest = 200

/**
 * Reads a text that contains durations and names of penalties, and nothing else: 有期徒刑11年, `18 months' probation`,
 * 有期徒刑3年，缓刑4年, `4 years`. The text must be in lower case with Arabic digits (see `withDigits`).
 *
 * @returns null for any other text
 */
export function readPenalTerms(text: string): PenalTerm[] | null {
  if (text.length > longest) return null
  const terms: PenalTerm[] = []
  let named: PenaltyKind | null = null
  let isSeparated = true
  let end = 0
  for (const { 0: written, index, groups } of text.matchAll(token)) {
    end = index + written.length
    if (groups!.duration !== undefined) {
      const duration = readDuration(groups!.duration)
      if (duration === null) return null
      terms.push({ ...duration, kind: named })
      named = null
      isSeparated = false
    } else if (groups!.kind !== undefined) {
      const kind = readPenaltyKind(groups!.kind)
      const last = terms.at(-1)
      // In `18 months' probation` the name follows.
      if (!isSeparated && last?.kind === null) terms[terms.length - 1] = { ...last, kind }
      else if (named === null || named === kind) named = kind
      else return null
    } else if (groups!.separator !== undefined) isSeparated = true
  }
  return end === text.length && terms.length > 0 && named === null ? terms : null
}

function readPenaltyKind(name: string): PenaltyKind | null {
  return kinds.find(([, form]) => new RegExp(`^(?:${form})$`, 'i').test(name))?.[0] ?? null
}

/** The penalty that the name of a column states; null when it states none, or several. */
export function findColumnPenalty(column: string): PenaltyKind | null {
  const stated = kinds.filter(([, form]) => new RegExp(form, 'i').test(column))
  return stated.length === 1 ? stated[0]![0] : null
}

/**
 * Whether two cells state the same terms in the same order. A term without its penalty has the penalty of the column: 11年
 * means 有期徒刑11年 under 刑期. When a cell names several penalties, each term must name its own.
 */
export function areSameTerms(
  left: readonly PenalTerm[],
  right: readonly PenalTerm[],
  column: PenaltyKind | null,
): boolean {
  if (left.length !== right.length) return false
  const mustName = [left, right].some(terms => new Set(terms.flatMap(({ kind }) => kind ?? [])).size > 1)
  return left.every((term, at) => {
    const counterpart = right[at]!
    if (!isSameDuration(term, counterpart)) return false
    if (term.kind === counterpart.kind) return true
    if (mustName || (term.kind !== null && counterpart.kind !== null)) return false
    const named = (term.kind ?? counterpart.kind)!
    return column === null || (column === 'imprisonment' ? named !== 'probation' : named === column)
  })
}
