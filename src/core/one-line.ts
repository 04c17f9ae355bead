/** The text on one line: runs of white space, line breaks among them, as single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
