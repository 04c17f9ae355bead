import { withLawOfEach } from '../../text/law-articles.ts'
import { normaliseText } from './normalise.ts'

const clearSeparator = /[;；、\n|]+/
const anySeparator = /[;；、\n|,，]+/

/** The items of a JSON list of plain values; null where the text is none. */
export function jsonItems(text: string): string[] | null {
  const trimmed = text.trim()
  if (!trimmed.startsWith('[') || !trimmed.endsWith(']')) return null
  try {
    const value: unknown = JSON.parse(trimmed)
    return Array.isArray(value)
      ? value.map(item => (typeof item === 'string' ? item : JSON.stringify(item)))
      : null
  } catch {
    // Models write Python lists too; what is neither is taken apart at its separators.
    return pythonItems(trimmed) ?? plainItems(trimmed.slice(1, -1), anySeparator)
  }
}

/** Quoted items with whatever stands inside the quotes; null where the list holds unquoted text. */
function pythonItems(list: string): string[] | null {
  const inner = list.slice(1, -1).trim()
  const quoted = /^(?:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*(?:,|$))+$/
  if (!quoted.test(inner)) return null
  return [...inner.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(match =>
    (match[1] ?? match[2] ?? '').replace(/\\(.)/g, '$1'),
  )
}

const plainItems = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map(unquoted)
    .filter(item => item !== '')

const unquoted = (item: string): string => item.trim().replace(/^['"“‘](.*)['"”’]$/s, '$1')

/** A gold value's items: a JSON list, or parts between separators that no single value holds. Null: no list. */
export function goldItems(text: string): string[] | null {
  const json = jsonItems(text)
  if (json !== null) return json
  const parts = text.split(clearSeparator).map(part => part.trim())
  return parts.length > 1 ? parts.filter(part => part !== '') : null
}

/**
 * An answer's items, where the gold value is a list. A comma parts them, unless gold's items hold commas: then stronger
 * separators do; where there are none, pieces that make up an item of gold's stay together.
 */
export function answerItems(text: string, gold: readonly string[]): string[] {
  const json = jsonItems(text)
  if (json !== null) return json
  if (!gold.some(item => /[,，]/.test(item))) return plainItems(text, anySeparator)
  const parts = plainItems(text, clearSeparator)
  return parts.length > 1 ? parts : joinedAsGold(text, gold)
}

/** Pieces between commas, the longest run that is an item of gold's taken as one. */
function joinedAsGold(text: string, gold: readonly string[]): string[] {
  const wanted = new Set(gold.map(normaliseText))
  const longest = Math.max(...gold.map(item => item.split(/[,，]/).length))
  const pieces = text.split(/[,，]/)
  const items: string[] = []
  for (let at = 0; at < pieces.length; ) {
    let length = Math.min(longest, pieces.length - at)
    while (length > 1 && !wanted.has(normaliseText(pieces.slice(at, at + length).join(',')))) length -= 1
    items.push(unquoted(pieces.slice(at, at + length).join(',')))
    at += length
  }
  return items.filter(item => item !== '')
}

/**
 * The paper's rule for lists: the same items score 1; else 0.8 x items found / items in the gold.
 * Items are compared after normalisation, each at most once; articles of a law, each on its own.
 */
export function listScore(gold: readonly string[], answer: readonly string[]): number {
  const wanted = [...new Set(withLawOfEach(gold).map(normaliseText))]
  const given = new Set(withLawOfEach(answer).map(normaliseText))
  if (wanted.length === 0) return given.size === 0 ? 1 : 0
  const found = wanted.filter(item => given.has(item)).length
  if (found === wanted.length && given.size === wanted.length) return 1
  return (0.8 * found) / wanted.length
}
