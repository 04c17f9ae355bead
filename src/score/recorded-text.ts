/** A text of megabytes is no use in a record. */
const recordedChars = 4000

/** A gold or predicted text as a record keeps it: a long one is cut. */
export function recordedText(text: string): string {
  return text.length > recordedChars ? `${text.slice(0, recordedChars)}…` : text
}
