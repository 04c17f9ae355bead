import { type TwinKind, type TwinText, writeTwin } from './twin-text.ts'

// A twin that shares more of the original's numbers than this might be taken for a copy of it.
const allowedShare = 0.75

/**
 * A twin that cannot pass for the original by content: it shares less than three quarters of its multi-digit numbers.
 * Where figures alone do not make it so (a text nearly without numbers), every other paragraph is left out, so that
 * less than 0.6 of the original's text stands in it.
 */
export function makeTwin(original: TwinText, kind: TwinKind, variant: number, seed: number): TwinText {
  const twin = writeTwin(original, kind, variant, seed)
  if (sharedNumbers(original.text, twin.text) < allowedShare) return twin
  return { ...twin, text: abridged(twin.text) }
}

/** The share of a text's multi-digit numbers, each counted as often as it stands there, that another text has; 1 for none. */
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

function abridged(text: string): string {
  const pieces = text.match(/[^.。；;!?！？\n]+[.。；;!?！？\n]*\s*/g) ?? [text]
  return pieces.filter((_piece, index) => index % 2 === 0).join('')
}
