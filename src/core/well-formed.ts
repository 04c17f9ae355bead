/** The text with each half of a surrogate pair that stands alone replaced by U+FFFD: JSON services refuse such halves. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
