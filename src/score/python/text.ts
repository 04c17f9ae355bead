/**
 * The characters that Python's str.isspace() accepts. JavaScript's set differs in U+FEFF, U+0085 and U+001C to
 * U+001F.
 */
const spaces = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const leading = new RegExp(`^[${spaces}]+`)
const trailing = new RegExp(`[${spaces}]+$`)

/** Python's str.strip(). */
export function pythonStrip(text: string): string {
  if (text === '' || (isInner(text.charCodeAt(0)) && isInner(text.charCodeAt(text.length - 1)))) return text
  return text.replace(leading, '').slice(0, findEndWithoutSpaces(text.replace(leading, '')))
}

const isInner = (code: number): boolean => code > 0x20 && code < 0x7f

/** A loop, because a regular expression anchored at the end takes quadratic time on long runs of spaces. */
function findEndWithoutSpaces(text: string): number {
  let end = text.length
  while (end > 0 && trailing.test(text.charAt(end - 1))) end -= 1
  return end
}

const unprintable = /[\p{C}\p{Z}]/u
const shortEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Python's repr() of a str: single quotes unless the text contains only these, and unprintable characters escaped. */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  let body = ''
  for (const character of text) {
    if (character === quote) body += `\\${quote}`
    else body += shortEscapes[character] ?? (isPrintable(character) ? character : escapeCharacter(character))
  }
  return quote + body + quote
}

const isPrintable = (character: string): boolean => character === ' ' || !unprintable.test(character)

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`
  return `\\U${code.toString(16).padStart(8, '0')}`
}

/** Python's str() of a tuple of strings. For one string, the string itself. */
export function pythonKeyText(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `(${parts.map(pythonRepr).join(', ')})`
}

/** Python's str.split() without a separator. */
export function pythonWords(text: string): string[] {
  return text.split(new RegExp(`[${spaces}]+`)).filter(word => word !== '')
}
