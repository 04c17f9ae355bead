import { withLawOfEach } from '../../text/law-articles.ts'
import { normaliseText } from './normalise.ts'

const clearSeparator = /[;；、\n|]+/
const anySeparator = /[;；、\n|,，]+/

/** Reads the items of a JSON list of plain values; null when the text is not a list. */
export function readJsonItems(text: string): string[] | null {
  const trimmed = text.trim()
  if (!trimmed.startsWith('[') || !trimmed.endsWith(']')) return null
  try {
    const value: unknown = JSON.parse(trimmed)
    return Array.isArray(value)
      ? value.map(item => (typeof item === 'string' ? item : JSON.stringify(item)))
      : null
  } catch {
    // Models also write Python lists. Anything else is divided at its separators.
    return readPythonItems(trimmed) ?? splitPlainItems(trimmed.slice(1, -1), anySeparator)
  }
}

/** The quoted items of a Python list; null when it contains unquoted text. */
function readPythonItems(list: string): string[] | null {
  const inner = list.slice(1, -1).trim()
  const quoted = /^(?:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*(?:,|$))+$/
  if (!quoted.test(inner)) return null
  return [...inner.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(match =>
    (match[1] ?? match[2] ?? '').replace(/\\(.)/g, '$1'),
  )
}

const splitPlainItems = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map(removeQuotes)
    .filter(item => item !== '')

const removeQuotes = (item: string): string => item.trim().replace(/^['"“‘](.*)['"”’]$/s, '$1')

/**
 * The items of a gold value: a JSON list, or parts between separators that single values do not contain. Null when it
 * is not a list.
 */
export function readGoldItems(text: string): string[] | null {
  const json = readJsonItems(text)
  if (json !== null) return json
  const parts = text.split(clearSeparator).map(part => part.trim())
  return parts.length > 1 ? parts.filter(part => part !== '') : null
}

/**
 * The items of a gold value that only commas separate. It is a list only when the answer shows it: the answer is a list in
 * brackets or at stronger separators, or has the same items in another order. Otherwise null, because names and addresses
 * contain commas too.
 */
export function readCommaItems(gold: string, answer: string): string[] | null {
  if (!/[,，]/.test(gold) || /\d[,，]\d/.test(gold)) return null
  const items = splitPlainItems(gold, anySeparator)
  if (items.length < 2) return null
  if (readGoldItems(answer) !== null) return items
  const writeSorted = (parts: readonly string[]): string => JSON.stringify(parts.map(normaliseText).sort())
  return writeSorted(items) === writeSorted(splitPlainItems(answer, anySeparator)) ? items : null
}

/**
 * The items of an answer to a gold list. Commas separate them unless the gold's items contain commas: then only
 * stronger separators do, and without any, pieces that form a gold item stay together.
 */
export function readAnswerItems(text: string, gold: readonly string[]): string[] {
  const json = readJsonItems(text)
  if (json !== null) return json
  if (!gold.some(item => /[,，]/.test(item))) return splitPlainItems(text, anySeparator)
  const parts = splitPlainItems(text, clearSeparator)
  return parts.length > 1 ? parts : joinAsGold(text, gold)
}

/** Divides at commas, and joins the longest run of pieces that is an item of the gold. */
function joinAsGold(text: string, gold: readonly string[]): string[] {
  const goldItemForms = new Set(gold.map(normaliseText))
  const longest = Math.max(...gold.map(item => item.split(/[,，]/).length))
  const pieces = text.split(/[,，]/)
  const items: string[] = []
  for (let at = 0; at < pieces.length; ) {
    let length = Math.min(longest, pieces.length - at)
    while (length > 1 && !goldItemForms.has(normaliseText(pieces.slice(at, at + length).join(','))))
      length -= 1
    items.push(removeQuotes(pieces.slice(at, at + length).join(',')))
    at += length
  }
  return items.filter(item => item !== '')
}

/**
 * The AOE paper's rule for lists: the same items score 1; otherwise 0.8 x items found / items in the gold. Items are
 * compared after normalisation, each at most once. Each article of a law is an item.
 */
export function scoreList(gold: readonly string[], answer: readonly string[]): number {
  const goldForms = [...new Set(withLawOfEach(gold).map(normaliseText))]
  const answerForms = new Set(withLawOfEach(answer).map(normaliseText))
  if (goldForms.length === 0) return answerForms.size === 0 ? 1 : 0
  const common = goldForms.filter(item => answerForms.has(item)).length
  if (common === goldForms.length && answerForms.size === goldForms.length) return 1
  return (0.8 * common) / goldForms.length
}
