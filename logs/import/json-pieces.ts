/** A list or an object that is being read. */
interface Container {
  readonly value: unknown[] | Record<string, unknown>
  /** The key of the next value of an object; null when a key is next. */
  key: string | null
}

const pythonNumbers: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity'])

/** Parses a literal. NaN and Infinity, which Python writes, become null. */
function literalValue(text: string): unknown {
  return pythonNumbers.has(text) ? null : JSON.parse(text)
}

/** A value with more is no log, or does not fit into memory. A literal is a number, or a name such as `true`. */
const most = {
  characters: 2_000_000_000,
  values: 50_000_000,
  levels: 10_000,
  'characters in a literal': 10_000,
}

function requireAtMost(kind: keyof typeof most, amount: number): void {
  if (amount > most[kind]) throw new SyntaxError(`The JSON value has more than ${most[kind]} ${kind}`)
}

/**
 * Parses JSON that comes in pieces, so that it may be longer than the longest string of Node.js. NaN and Infinity become
 * null. Commas and colons are not checked.
 *
 * @throws SyntaxError when the text ends too early, is not JSON, or exceeds the limits
 */
export async function parseJsonPieces(pieces: AsyncIterable<string>): Promise<unknown> {
  const open: Container[] = []
  let root: { readonly value: unknown } | null = null
  /** The parts of an unfinished text with its quotes, and of an unfinished literal. */
  let text: string[] | null = null
  let isEscaped = false
  let literal = ''

  let [characters, values] = [0, 0]

  const put = (value: unknown): void => {
    values++
    requireAtMost('values', values)
    const inner = open.at(-1)
    if (inner === undefined) {
      if (root !== null) throw new SyntaxError('Unexpected value after the end of the JSON value')
      root = { value }
    } else if (Array.isArray(inner.value)) inner.value.push(value)
    else if (inner.key === null) {
      if (typeof value !== 'string') throw new SyntaxError('Expected a text as the name of a member')
      inner.key = value
    } else {
      Object.defineProperty(inner.value, inner.key, {
        ...{ value, writable: true, enumerable: true, configurable: true },
      })
      inner.key = null
    }
  }
  const endLiteral = (): void => {
    if (literal !== '') put(literalValue(literal))
    literal = ''
  }
  const close = (isList: boolean): void => {
    const inner = open.pop()
    if (inner === undefined || Array.isArray(inner.value) !== isList || inner.key !== null)
      throw new SyntaxError(`Unexpected ${isList ? ']' : '}'} in JSON`)
    put(inner.value)
  }
  const begin = (char: string): void => {
    requireAtMost('levels', open.length)
    if (char === '"') text = ['"']
    else if (char === '[') open.push({ value: [], key: null })
    else if (char === '{') open.push({ value: {}, key: null })
    else close(char === ']')
  }
  /** Reads on in a text. Returns the position after it, or the length of the piece when it goes on. */
  const readText = (piece: string, start: number, parts: string[]): number => {
    const mark = /["\\]/g
    mark.lastIndex = isEscaped ? start + 1 : start
    isEscaped = false
    for (let match = mark.exec(piece); match !== null; match = mark.exec(piece)) {
      if (match[0] === '\\') {
        isEscaped = mark.lastIndex === piece.length
        mark.lastIndex++
        continue
      }
      parts.push(piece.slice(start, mark.lastIndex))
      text = null
      put(JSON.parse(parts.join('')))
      return mark.lastIndex
    }
    parts.push(piece.slice(start))
    return piece.length
  }
  const readPiece = (piece: string): void => {
    for (let at = 0; at < piece.length; ) {
      if (text !== null) {
        at = readText(piece, at, text)
        continue
      }
      const token = /([^\s,:[\]{}"]*)([\s,:]*)(["[\]{}]?)/y
      token.lastIndex = at
      const [, word = '', gap = '', char = ''] = token.exec(piece) ?? []
      literal += word
      requireAtMost('characters in a literal', literal.length)
      if (gap !== '' || char !== '') endLiteral()
      if (char !== '') begin(char)
      at = token.lastIndex
    }
  }

  for await (const piece of pieces) {
    characters += piece.length
    requireAtMost('characters', characters)
    readPiece(root === null && open.length === 0 ? piece.replace(/^\uFEFF/, '') : piece)
  }
  endLiteral()
  const whole = root as { readonly value: unknown } | null
  if (open.length > 0 || text !== null || whole === null)
    throw new SyntaxError('Unexpected end of JSON input')
  return whole.value
}
