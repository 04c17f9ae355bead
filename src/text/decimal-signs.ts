/** The sign before the decimals of a number. */
export type DecimalSign = ',' | '.'

/** Numbers that only one decimal sign explains. `3,125` is not among them. */
const proofs: Readonly<Record<DecimalSign, RegExp>> = {
  ',': /^(?:\d{1,3}(?:[.'’ \u00a0\u202f]\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|0,\d+|\d+,(?:\d{1,2}|\d{4,})|\d{4,},\d+)$/,
  '.': /^(?:\d{1,3}(?:[,'’ \u00a0\u202f]\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}|0?\.\d+|\d+\.(?:\d{1,2}|\d{4,})|\d{4,}\.\d+)$/,
}
const undecided = /^[1-9]\d{0,2}[.,]\d{3}$/

/** Returns the only decimal sign that explains the digits of a number; null when both do, or none does. */
export function findProvenSign(digits: string): DecimalSign | null {
  return proofs[','].test(digits) ? ',' : proofs['.'].test(digits) ? '.' : null
}

/** Whether the digits are a number by either sign, and another one by each: `3,125`. */
export const isUndecided = (digits: string): boolean => undecided.test(digits)

/** Returns digits with a decimal point and without separators. */
export function withDecimalPoint(digits: string, sign: DecimalSign): string {
  return sign === ','
    ? digits.replace(/[.'’ \u00a0\u202f]/g, '').replace(/[,，]/, '.')
    : digits.replace(/[,，'’ \u00a0\u202f]/g, '')
}

const proofInText = /(?<![\p{L}\d.,])\d[\d.,]*\d(?![\p{L}\d]|[.,]\d)/gu

/**
 * Returns the decimal sign of a text by most of the numbers that only one sign explains. A text in which neither leads has
 * a decimal point.
 */
export function findDecimalSign(text: string): DecimalSign {
  let lead = 0
  for (const [digits] of text.matchAll(proofInText)) {
    const sign = findProvenSign(digits)
    if (sign !== null) lead += sign === ',' ? 1 : -1
  }
  return lead > 0 ? ',' : '.'
}
