/** Returns the text of a cell as a page shows it. White space alone is in quotation marks, because it would look empty. */
export function visibleText(text: string): string {
  return text !== '' && text.trim() === '' ? `“${text}”` : text
}
