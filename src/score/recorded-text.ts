/** Records keep at most this many characters of a text. */
const recordedChars = 4000

/** Shortens a long gold or predicted text for a record. */
export function recordedText(text: string): string {
  return text.length > recordedChars ? `${text.slice(0, recordedChars)}…` : text
}
