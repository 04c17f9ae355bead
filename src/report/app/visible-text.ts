/** Returns the text of a cell as a page shows it. White space alone is in quotation marks, because it would look empty. */
export function showText(text: string): string {
  return text !== '' && text.trim() === '' ? `“${text}”` : text
}

/** Returns a gold value or an answer as a page shows it. Null: the answer does not contain the item. */
export function showValue(value: string | null, ifEmpty = '(empty)'): string {
  return value === null ? 'missing' : value === '' ? ifEmpty : showText(value)
}
