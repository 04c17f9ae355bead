/** Names of files have at most 255 bytes. The rest is for a number and an ending. */
const maxBytes = 200

/**
 * Returns a text as the name of a file: letters and digits of all scripts, '.', '_' and '-'. Different texts may have one name
 * (`makeDistinctName`).
 */
export function writeFileName(text: string): string {
  const name = text.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^\.+/, '')
  return (
    new TextDecoder().decode(new TextEncoder().encode(name).subarray(0, maxBytes), { stream: true }) ||
    'unnamed'
  )
}

/**
 * Returns a name that is not taken, with a number where it is: `a`, `a-2`, `a-3`. Marks it as taken. Names that differ by case
 * are one name, as some file systems have it.
 *
 * @param taken receives the name in lower case
 */
export function makeDistinctName(name: string, taken: Set<string>): string {
  let distinct = name
  for (let number = 2; taken.has(distinct.toLowerCase()); number++) distinct = `${name}-${number}`
  taken.add(distinct.toLowerCase())
  return distinct
}
