const quote = 34
const backslash = 92
const comma = 44
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

/**
 * The elements of a JSON list one at a time, as text, so that a large file is never held as objects as a whole.
 * Only the list's own shape is checked here; each element is for the caller to parse.
 * @param data UTF-8
 * @throws SyntaxError where the data is no list, or does not end as one
 */
export function* jsonElements(data: Buffer): Generator<string> {
  let at = skipSpace(data, data[0] === 0xef ? 3 : 0)
  if (data[at] !== openBracket) throw new SyntaxError('no JSON list')
  at = skipSpace(data, at + 1)
  if (data[at] === closeBracket) return checkEnd(data, at + 1)
  for (;;) {
    const end = elementEnd(data, at)
    yield data.toString('utf8', at, end)
    if (data[end] === closeBracket) return checkEnd(data, end + 1)
    at = skipSpace(data, end + 1)
  }
}

/** The position of the comma or bracket behind the element that begins at `start`. */
function elementEnd(data: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < data.length; at += 1) {
    const byte = data[at]
    if (byte === quote) at = stringEnd(data, at)
    else if (byte === openBrace || byte === openBracket) depth += 1
    else if (byte === comma && depth === 0) return at
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return at
      depth -= 1
    }
  }
  throw new SyntaxError('the list does not end')
}

function stringEnd(data: Buffer, start: number): number {
  let at = start + 1
  for (; at < data.length; at += 1) {
    const byte = data[at]
    if (byte === quote) break
    if (byte === backslash) at += 1
  }
  return at
}

function skipSpace(data: Buffer, start: number): number {
  let at = start
  while (data[at] === 32 || data[at] === 9 || data[at] === 10 || data[at] === 13) at += 1
  return at
}

function checkEnd(data: Buffer, start: number): void {
  if (skipSpace(data, start) < data.length) throw new SyntaxError('text behind the list')
}
