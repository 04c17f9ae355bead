/** A list or an object that is being read. */
interface Container {
  readonly value: unknown[] | Record<string, unknown>
  /** The key of the next value of an object; null when a key is next. */
  key: string | null
}

/** Python writes these words in JSON. */
const pythonNumbers: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity'])

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
  const parser = new PieceParser()
  for await (const piece of pieces) parser.read(piece)
  return parser.end()
}

class PieceParser {
  readonly #open: Container[] = []
  #root: { readonly value: unknown } | null = null
  /** The parts of an unfinished text with its quotes. */
  #text: string[] | null = null
  #isEscaped = false
  /** The start of an unfinished literal. */
  #literal = ''
  #characters = 0
  #values = 0

  read(piece: string): void {
    this.#characters += piece.length
    requireAtMost('characters', this.#characters)
    const isFirst = this.#root === null && this.#open.length === 0
    const text = isFirst ? piece.replace(/^\uFEFF/, '') : piece
    for (let at = 0; at < text.length; )
      at = this.#text === null ? this.#readToken(text, at) : this.#readText(text, at, this.#text)
  }

  /** Returns the value, after the last piece. */
  end(): unknown {
    this.#endLiteral()
    if (this.#open.length > 0 || this.#text !== null || this.#root === null)
      throw new SyntaxError('Unexpected end of JSON input')
    return this.#root.value
  }

  /** Reads a part of a literal, the gap after it and the mark after that. Returns the position after them. */
  #readToken(piece: string, start: number): number {
    const token = /([^\s,:[\]{}"]*)([\s,:]*)(["[\]{}]?)/y
    token.lastIndex = start
    const [, word = '', gap = '', mark = ''] = token.exec(piece) ?? []
    this.#literal += word
    requireAtMost('characters in a literal', this.#literal.length)
    if (gap !== '' || mark !== '') this.#endLiteral()
    if (mark !== '') this.#readMark(mark)
    return token.lastIndex
  }

  #readMark(mark: string): void {
    requireAtMost('levels', this.#open.length)
    if (mark === '"') this.#text = ['"']
    else if (mark === '[') this.#open.push({ value: [], key: null })
    else if (mark === '{') this.#open.push({ value: {}, key: null })
    else this.#close(mark)
  }

  #close(mark: string): void {
    const inner = this.#open.pop()
    if (inner === undefined || Array.isArray(inner.value) !== (mark === ']') || inner.key !== null)
      throw new SyntaxError(`Unexpected ${mark} in JSON`)
    this.#put(inner.value)
  }

  /** Reads on in a text. Returns the position after it, or the length of the piece when it goes on. */
  #readText(piece: string, start: number, parts: string[]): number {
    const mark = /["\\]/g
    mark.lastIndex = this.#isEscaped ? start + 1 : start
    this.#isEscaped = false
    for (let match = mark.exec(piece); match !== null; match = mark.exec(piece)) {
      if (match[0] === '\\') {
        this.#isEscaped = mark.lastIndex === piece.length
        mark.lastIndex++
        continue
      }
      parts.push(piece.slice(start, mark.lastIndex))
      this.#text = null
      this.#put(JSON.parse(parts.join('')))
      return mark.lastIndex
    }
    parts.push(piece.slice(start))
    return piece.length
  }

  #endLiteral(): void {
    const literal = this.#literal
    this.#literal = ''
    if (literal !== '') this.#put(pythonNumbers.has(literal) ? null : JSON.parse(literal))
  }

  #put(value: unknown): void {
    this.#values++
    requireAtMost('values', this.#values)
    const inner = this.#open.at(-1)
    if (inner === undefined) {
      if (this.#root !== null) throw new SyntaxError('Unexpected value after the end of the JSON value')
      this.#root = { value }
    } else if (Array.isArray(inner.value)) inner.value.push(value)
    else if (inner.key === null) {
      if (typeof value !== 'string') throw new SyntaxError('Expected a text as the name of a member')
      inner.key = value
    } else {
      const property = { value, writable: true, enumerable: true, configurable: true }
      Object.defineProperty(inner.value, inner.key, property)
      inner.key = null
    }
  }
}
