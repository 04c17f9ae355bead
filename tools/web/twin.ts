import { type TwinKind, type TwinText, writeTwin } from './twin-text.ts'

// A twin that shares more of the original's numbers than this could be taken for a copy.
const maxSharedNumbers = 0.75

/**
 * Writes a twin that discovery cannot mistake for the original: it shares less than three quarters of its
 * multi-digit numbers. When changing figures is not enough (a text with few numbers), every other paragraph is left
 * out. Less than 0.6 of the original's text then remains.
 */
export function makeTwin(original: TwinText, kind: TwinKind, variant: number, seed: number): TwinText {
  const twin = writeTwin(original, kind, variant, seed)
  if (sharedNumbers(original.text, twin.text) < maxSharedNumbers) return twin
  return { ...twin, text: everyOtherSentence(twin.text) }
}

/**
 * Returns the share of a text's multi-digit numbers, counting repetitions, that occur in another text; 1 when there
 * are none.
 */
export function sharedNumbers(original: string, other: string): number {
  const numbers = multiDigitNumbers(original)
  const have = new Map<string, number>()
  for (const number of multiDigitNumbers(other)) have.set(number, (have.get(number) ?? 0) + 1)
  const distinct = [...new Set(numbers)]
  const counted = numbers.filter(number => {
    const left = have.get(number) ?? 0
    have.set(number, left - 1)
    return left > 0
  })
  if (numbers.length === 0) return 1
  const known = new Set(multiDigitNumbers(other))
  const distinctShare = distinct.filter(number => known.has(number)).length / distinct.length
  return Math.max(distinctShare, counted.length / numbers.length)
}

function multiDigitNumbers(text: string): string[] {
  return (text.match(/\d[\d,.]*\d/g) ?? []).map(number => number.replaceAll(',', ''))
}

function everyOtherSentence(text: string): string {
  const pieces = text.match(/[^.。；;!?！？\n]+[.。；;!?！？\n]*\s*/g) ?? [text]
  return pieces.filter((_piece, index) => index % 2 === 0).join('')
}
