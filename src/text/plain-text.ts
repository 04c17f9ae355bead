/** Returns the first line of the message of an error. */
export function readFirstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}

/** Every run of white space that is not one space. */
const otherSpace = /\s{2,}|[^\S ]/g

/** Replaces each run of white space, including line breaks, by one space. */
export function joinToOneLine(text: string): string {
  return text.replace(otherSpace, ' ').trim()
}

/** Writes lines as one. Two figures on separate lines are separated by a slash, because `12 345` would read as one number. */
export function joinTextLines(text: string): string {
  return joinToOneLine(text.replace(/(?<=\d)[^\S\r\n]*[\r\n]\s*(?=\d)/g, ' / '))
}

/**
 * Replaces control characters, and signs that change the direction of a text, by spaces, so that a text of a web page, a
 * model or a service cannot control the terminal.
 */
export function withoutControlCharacters(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, ' ')
}

/** Control characters but line breaks and tabs, and signs that change the direction of a text. The one sequence that a progress bar uses is left. */
const controls = /\x1b(?!\[2K)|[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g

/** Writes control characters as JSON does, such as `\u009b`, so that JSON stays the same value and a terminal obeys none. */
export function escapeControlCharacters(text: string): string {
  return text.replace(controls, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Replaces each lone half of a surrogate pair by U+FFFD. UTF-8 cannot contain such halves, and services and readers of
 * files refuse them.
 */
export function makeWellFormed(text: string): string {
  // The second expression is several times as slow, and few texts have any halves.
  return /[\uD800-\uDFFF]/.test(text) ? text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD') : text
}

/** Joins the first items of a list for a sentence: `a, b, c and 4 more`. Calls `nameOf` only for the items shown. */
export function formatShortList<T>(
  items: readonly T[],
  nameOf: (item: T) => string = String,
  most = 3,
): string {
  const shown = items
    .slice(0, most)
    .map(item => nameOf(item))
    .join(', ')
  const more = items.length - most
  return more > 0 ? `${shown} and ${more} more` : shown
}

/** Cuts a text with more than `maxChars` characters to `keptChars` and marks the cut with `…`. */
export function clipText(text: string, maxChars: number, keptChars = maxChars): string {
  return text.length > maxChars ? `${text.slice(0, keptChars)}…` : text
}

/** Begins a text with a capital letter. */
export function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Names parts of a sheet: `row 3`, `cells B2, C7`; nothing without names. */
export function nameParts(kind: string, names: readonly (string | number)[], most: number): string[] {
  if (names.length === 0) return []
  return [`${kind}${names.length === 1 ? '' : 's'} ${formatShortList(names, String, most)}`]
}

/** Escapes a text that a regular expression is to match as it is. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

const cjkCharacter = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/g

/** Counts the Chinese, Japanese and Korean characters of a text. These scripts do not separate words. */
export function countCjk(text: string): number {
  return text.match(cjkCharacter)?.length ?? 0
}

/** Whether a text has a Chinese, Japanese or Korean character. */
export function hasCjk(text: string): boolean {
  return text.search(cjkCharacter) !== -1
}

/** Maps the words of lists, separated by `|`, to the value of their list. */
export function mapWords<T>(lists: readonly (readonly [words: string, value: T])[]): Map<string, T> {
  return new Map(lists.flatMap(([words, value]) => words.split('|').map(word => [word, value] as const)))
}

/** Removes soft hyphens and the other signs that only say where a line may break. */
export function withoutBreakSigns(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060\ufeff]+/g, '')
}

/** Removes break signs and the joiners of letters, so that texts can be compared. Joiners are part of a shown text. */
export function withoutInvisible(text: string): string {
  return withoutBreakSigns(text).replace(/[\u200c\u200d]+/g, '')
}

const lineEndHyphen = /(?<=\p{L})[-\u2010]$/u

/**
 * Joins two lines without the spaces between them. A hyphen between letters at the line end divides a word and is
 * left out; a hyphen between figures is a range and stays.
 */
export function joinLines(line: string, next: string): string {
  return (/^\p{L}/u.test(next) ? line.replace(lineEndHyphen, '') : line) + next
}

/** Full Unicode case folding, as Python's str.casefold(): Straße equals STRASSE, ς equals Σ, and ﬁ equals FI. */
export function casefold(text: string): string {
  return /^[\x00-\x7f]*$/.test(text) ? text.toLowerCase() : text.replace(foldedLetter, foldLetter)
}

const foldedLetter = /[\p{Changes_When_Casefolded}\p{Lu}]/gu

/**
 * Case folding for comparisons by meaning: as `casefold`, and the Turkish letters İ, I, ı and i are the same letter,
 * because only the language of a text tells which of them belong together.
 */
export function foldCase(text: string): string {
  return casefold(text)
    .replace(/i\u0307/g, 'i')
    .replaceAll('ı', 'i')
}

/** Lower, upper and lower case in turn, for each character, produce the full folding. */
const foldLetter = (character: string): string => lowerEach(character.toLowerCase().toUpperCase())

function lowerEach(text: string): string {
  let out = ''
  for (const character of text) out += character.toLowerCase()
  return out
}

/** Quotes a text for a POSIX shell when necessary. */
export function quoteForShell(text: string): string {
  return /^[\w./:=@%+,][\w./:=@%+,-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? character)
}
