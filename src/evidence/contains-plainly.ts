import { isUndecided } from '../text/decimal-signs.ts'
import { changesMeaning } from '../text/fold.ts'
import { hasCjk } from '../text/plain-text.ts'
import type { EvidenceNeedle } from './text-index.ts'

/** Soft hyphens and characters without width are inside a word. */
const wordCharacter = /[\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060\ufeff]/u
const beforeNumber = /^[\s|($]?$/
const afterNumber = /^(?:$|[\s|)]|[.,;:](?:\s|$))/
const units = [1, 1e3, 1e6]
const leastDigitsToScale = 3

/**
 * Whether a text contains a needle in its usual written form: a text as in the gold, a number with thousands
 * separators. Much faster than a text index. True only when the index would find the needle too; false decides
 * nothing.
 *
 * @param gold the gold's text from which the needle was made
 */
export function containsPlainly(text: string, needle: EvidenceNeedle, gold: string): boolean {
  if (needle.kind === 'growth') return false
  if (needle.kind === 'text') return gold.trim() !== '' && containsForm(text, gold.trim(), areWordEnds)
  return writeForms(needle.value, needle.scaled).some(form => containsForm(text, form, areNumberEnds))
}

/** Whether the characters around a place make it a whole word or number. */
type EndTest = (form: string, before: string, after: string) => boolean

function containsForm(text: string, form: string, areEnds: EndTest): boolean {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
    const end = at + form.length
    if (!areEnds(form, text.charAt(at - 1), text.slice(end, end + 2))) continue
    const [word = ''] = /[\p{L}]+(?=\P{L}{0,3}$)/u.exec(text.slice(Math.max(0, at - 16), at)) ?? []
    if (!changesMeaning(word.toLowerCase()) && !/[副非]$/.test(word)) return true
  }
  return false
}

const areWordEnds: EndTest = (form, before, after) =>
  isWordEnd(before, form.charAt(0)) && isWordEnd(after.charAt(0), form.charAt(form.length - 1))

const isWordEnd = (outside: string, inside: string): boolean =>
  !wordCharacter.test(outside) || hasCjk(outside) || hasCjk(inside)

const areNumberEnds: EndTest = (_, before, after) => beforeNumber.test(before) && afterNumber.test(after)

function writeForms(value: number, scaled: boolean): string[] {
  const digits = String(Math.abs(value))
    .replace(/[.e].*/, '')
    .replace(/0+$/, '').length
  const divisors = scaled && digits >= leastDigitsToScale ? units : [1]
  return divisors.flatMap(unit => {
    const plain = String(value / unit)
    const grouped = withThousands(plain)
    const forms = plain === grouped ? [plain] : [grouped, plain]
    // Only the decimal sign of the whole text decides what 1.250 means.
    return forms.filter(form => !isUndecided(form.replace('-', '')))
  })
}

function withThousands(number: string): string {
  const [whole = '', decimals] = number.split('.')
  const grouped = whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',')
  return decimals === undefined ? grouped : `${grouped}.${decimals}`
}
