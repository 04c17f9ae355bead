/** Quotes a text for a POSIX shell when necessary. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+,][\w./:=@%+,-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
