/** The first line of what an error says, for a message of one line. */
export function firstLineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}

/** The text on one line: runs of white space, line breaks among them, as single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** What a web page, a model or a service wrote must not steer the terminal: control characters become spaces. */
export function withoutControlCharacters(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, ' ')
}

/** The text with each half of a surrogate pair that stands alone replaced by U+FFFD: JSON services refuse such halves. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
