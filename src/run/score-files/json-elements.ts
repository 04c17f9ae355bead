const quote = 34
const backslash = 92
const comma = 44
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

/** This many bytes at the start of an element are compared to recognise the start of another. */
const tellingBytes = 4

/**
 * Reads the elements of a JSON list one at a time, so that a large file is never completely in memory as objects.
 * When elements start alike, as records do, the end of an element is guessed from the start of the next. A guess that
 * parses is right, because no JSON object is a prefix of another.
 *
 * @param data UTF-8
 * @param parse parses the text of one element; throws SyntaxError when it is not JSON
 * @throws SyntaxError when the data is not a JSON list
 */
export function* readJsonElements<T>(data: Buffer, parse: (text: string) => T): Generator<T> {
  let at = skipSpace(data, data[0] === 0xef ? 3 : 0)
  if (data[at] !== openBracket) throw new SyntaxError('not a JSON list')
  at = skipSpace(data, at + 1)
  if (data[at] === closeBracket) return checkEnd(data, at + 1)
  let border: Buffer | null = null
  for (;;) {
    const guessed = border === null ? null : guess(data, at, border, parse)
    const end = guessed?.end ?? findElementEnd(data, at)
    yield guessed === null ? parse(data.toString('utf8', at, end)) : guessed.value
    if (data[end] === closeBracket) return checkEnd(data, end + 1)
    at = skipSpace(data, end + 1)
    // The last brace of one element and the first bytes of the next.
    if (data[end - 1] === closeBrace && data[at] === openBrace)
      border ??= data.subarray(end - 1, at + tellingBytes)
  }
}

/** Parses up to where the next element seems to start; null when that text is not JSON. */
function guess<T>(
  data: Buffer,
  start: number,
  border: Buffer,
  parse: (text: string) => T,
): { readonly value: T; readonly end: number } | null {
  const brace = data[start] === openBrace ? data.indexOf(border, start) : -1
  if (brace < 0) return null
  try {
    return { value: parse(data.toString('utf8', start, brace + 1)), end: brace + 1 }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** The position of the comma or bracket after the element that starts at `start`. */
function findElementEnd(data: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < data.length; at += 1) {
    const byte = data[at]
    if (byte === quote) at = findStringEnd(data, at)
    else if (byte === openBrace || byte === openBracket) depth += 1
    else if (byte === comma && depth === 0) return at
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return at
      depth -= 1
    }
  }
  throw new SyntaxError('the list does not end')
}

function findStringEnd(data: Buffer, start: number): number {
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
  if (skipSpace(data, start) < data.length) throw new SyntaxError('there is text after the list')
}
