import { nearestName } from '../../src/core/nearest-name.ts'
import { clipText } from '../../src/text/plain-text.ts'

/** Doubled braces, a name in braces, or a single brace. */
const marks = /\{\{|\}\}|\{(\w+)\}|[{}]/g

/** Returns whether a text contains a placeholder. */
export function hasPlaceholder(text: string, name: string): boolean {
  return [...text.matchAll(marks)].some(([, placeholder]) => placeholder === name)
}

/**
 * Describes the first name in braces that is not a placeholder, or the first single brace. Returns null when there is none.
 *
 * @param names the placeholders that the text may contain
 */
export function placeholderProblem(text: string, names: readonly string[]): string | null {
  for (const { 0: mark, 1: name, index } of text.matchAll(marks)) {
    if (mark === '{{' || mark === '}}') continue
    if (name === undefined)
      return `a single brace before '${cutExcerpt(text.slice(index))}'. Write {{ and }} for braces that are part of the text`
    if (names.includes(name)) continue
    const nearest = nearestName(name, names)
    const fix = nearest === null ? `the placeholders are ${inBraces(names)}` : `write {${nearest}}`
    return `{${name}} is not a placeholder here: ${fix}. For braces that are part of the text, write {{${name}}}`
  }
  return null
}

/**
 * Replaces placeholders in one pass, so that braces in a document are never read as a placeholder. `{{` and `}}` become single
 * braces.
 *
 * @param values the value of each placeholder; only those that the text contains are asked for
 */
export function fillPlaceholders(text: string, values: Readonly<Record<string, () => string>>): string {
  return text.replace(marks, (mark, name: string | undefined) =>
    name === undefined ? mark.charAt(0) : (values[name]?.() ?? mark),
  )
}

const inBraces = (names: readonly string[]): string => names.map(name => `{${name}}`).join(', ')

const excerptChars = 30

function cutExcerpt(text: string): string {
  return clipText(text.replace(/\s+/g, ' '), excerptChars)
}
