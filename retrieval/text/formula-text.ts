/** How parts of formulas are written as a line of text, in MathML and in Word alike: `1/2`, `x²`, `a₁`, `√(x)`. */

/** Returns a fraction; parts of several terms are in parentheses. */
export const writeFraction = (above: string, below: string): string =>
  `${writeGrouped(above)}/${writeGrouped(below)}`

const writeGrouped = (text: string): string => (/[\s+\-−–·×/]/.test(text.slice(1)) ? `(${text})` : text)

/** Returns a root; a square root has the degree ''. */
export const writeRoot = (content: string, degree: string): string =>
  `√${degree === '' ? '' : `[${degree}]`}(${content})`

/** Returns a base with what is below and above it at its right. A base of several terms is in parentheses. */
export function writeScripts(base: string, below: string, above: string): string {
  const isOne = [...base].length === 1 || /^[\p{L}\p{M}\p{N}.,]*$|^\([^()]*\)$/u.test(base)
  return `${isOne ? base : `(${base})`}${lower(below)}${raise(above)}`
}

/** Returns a base with an accent: a combining sign on one letter, and otherwise the sign before parentheses. */
export function writeAccent(text: string, accent: string): string {
  const sign = combining.get(accent) ?? accent
  return [...text].length === 1 && /^\p{M}$/u.test(sign)
    ? `${text}${sign}`
    : `${accent.replace(/^\p{M}$/u, '‾')}(${text})`
}

const combining = new Map(
  [...'¯‾^ˆ~˜→⃗˙¨'].map((sign, at) => [
    sign,
    '\u0305\u0305\u0302\u0302\u0303\u0303\u20d7\u20d7\u0307\u0308'.charAt(at),
  ]),
)

/** Returns whether a sign above a letter is an accent. */
export const isAccent = (sign: string): boolean => combining.has(sign) || /^\p{M}$/u.test(sign)

const raisedSigns = new Map([...'0123456789+-−–()'].map((sign, at) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾'.charAt(at)]))
const loweredSigns = new Map([...'0123456789+-−–()'].map((sign, at) => [sign, '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₍₎'.charAt(at)]))

/** Writes a raised text in raised signs where all of it has them, and otherwise as `^(text)`. */
export const raise = (text: string): string => shift(text, raisedSigns, '^')

/** Writes a lowered text in lowered signs where all of it has them, and otherwise as `_(text)`. */
export const lower = (text: string): string => shift(text, loweredSigns, '_')

function shift(text: string, signs: ReadonlyMap<string, string>, mark: string): string {
  if (text === '') return ''
  const shifted = [...text].map(sign => signs.get(sign))
  if (shifted.every(sign => sign !== undefined)) return shifted.join('')
  return text.length === 1 ? mark + text : `${mark}(${text})`
}
