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
    return trimmed
      .slice(1, -1)
      .split(anySeparator)
      .map(unquoted)
      .filter(item => item !== '')
  }
}

const unquoted = (item: string): string => item.trim().replace(/^['"“‘](.*)['"”’]$/s, '$1')

/** A gold value's items: a JSON list, or parts between separators that no single value holds. Null: no list. */
export function goldItems(text: string): string[] | null {
  const json = jsonItems(text)
  if (json !== null) return json
  const parts = text.split(clearSeparator).map(part => part.trim())
  return parts.length > 1 ? parts.filter(part => part !== '') : null
}

/** An answer's items, where the gold value is a list. */
export function answerItems(text: string): string[] {
  return (
    jsonItems(text) ??
    text
      .split(anySeparator)
      .map(unquoted)
      .filter(item => item !== '')
  )
}

/**
 * The paper's rule for lists: the same items score 1; else 0.8 x items found / items in the gold.
 * Items are compared after normalisation, each at most once.
 */
export function listScore(gold: readonly string[], answer: readonly string[]): number {
  const wanted = [...new Set(gold.map(normaliseText))]
  const given = new Set(answer.map(normaliseText))
  if (wanted.length === 0) return given.size === 0 ? 1 : 0
  const found = wanted.filter(item => given.has(item)).length
  if (found === wanted.length && given.size === wanted.length) return 1
  return (0.8 * found) / wanted.length
}
