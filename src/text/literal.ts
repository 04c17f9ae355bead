/** A value that was read from a text, and the position after it. */
interface Literal<T = unknown> {
  readonly value: T
  readonly end: number
}

/** Why no value could be read. */
interface LiteralProblem {
  readonly problem: string
  /** Where reading stopped. */
  readonly at: number
  /** Whether the text ended before the value did. */
  readonly isCut: boolean
}

/** The arguments of a call in Python's syntax: those without a name, then those with one. */
export interface PythonArguments {
  readonly positional: readonly unknown[]
  readonly named: Readonly<Record<string, unknown>>
}

/**
 * Reads one value as models write it: JSON, with line breaks inside strings; Python's literals; and the objects of Gemma,
 * with keys without quotes and strings between marks. Takes time in proportion to the length of the value.
 */
export function readLiteral(text: string, start: number): Literal | LiteralProblem {
  const cursor = new Cursor(text, start)
  const value = cursor.value(0)
  return value === failed ? cursor.problem() : { value, end: cursor.at }
}

/** Reads the arguments of a Python call, from behind its opening parenthesis to its closing one. */
export function readPythonArguments(text: string, start: number): Literal<PythonArguments> | LiteralProblem {
  const cursor = new Cursor(text, start)
  const value = cursor.pythonArguments()
  return value === failed ? cursor.problem() : { value, end: cursor.at }
}

const failed = Symbol('failed')
type LiteralRead<T> = T | typeof failed

const maxDepth = 100
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y
const word = /[A-Za-z_$][\w$-]*/y
const space = /\s*/y
const words: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
}
/** The marks around strings without escapes, which Gemma writes. */
const plainQuotes = ['<escape>', '<|"|>']
const quotes = ['"""', "'''", '"', "'", ...plainQuotes]
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

class Cursor {
  at: number
  private readonly text: string
  private expected = ''

  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  problem(): LiteralProblem {
    const isCut = this.at >= this.text.length
    const actual = isCut
      ? 'the text ends'
      : `there is ${JSON.stringify(this.text.slice(this.at, this.at + 12))}`
    return { problem: `${this.expected} is expected, but ${actual}`, at: this.at, isCut }
  }

  value(depth: number): LiteralRead<unknown> {
    this.skipSpace()
    const first = this.text[this.at]
    if (depth > maxDepth) return this.fail('less nesting')
    if (first === '{') return this.object(depth)
    if (first === '[') return this.list(']', depth)
    if (first === '(') return this.list(')', depth)
    const quote = quotes.find(mark => this.text.startsWith(mark, this.at))
    if (quote !== undefined) return this.string(quote)
    const digits = this.take(number)
    if (digits !== '') return Number(digits)
    const start = this.at
    const name = this.take(word)
    if (Object.hasOwn(words, name)) return words[name]
    this.at = start
    return this.fail('a value')
  }

  pythonArguments(): LiteralRead<PythonArguments> {
    const positional: unknown[] = []
    const named: [string, unknown][] = []
    for (;;) {
      this.skipSpace()
      if (this.skip(')')) return { positional, named: Object.fromEntries(named) }
      const start = this.at
      const name = this.take(word)
      this.skipSpace()
      const isNamed = name !== '' && this.skip('=')
      if (!isNamed) this.at = start
      const value = this.value(0)
      if (value === failed) return failed
      if (isNamed) named.push([name, value])
      else positional.push(value)
      this.skipSpace()
      if (!this.skip(',') && this.text[this.at] !== ')') return this.fail("',' or ')'")
    }
  }

  private object(depth: number): LiteralRead<Record<string, unknown>> {
    const entries: [string, unknown][] = []
    this.at += 1
    for (;;) {
      this.skipSpace()
      if (this.skip('}')) return Object.fromEntries(entries)
      const key = this.key()
      if (key === failed) return failed
      this.skipSpace()
      if (!this.skip(':')) return this.fail("':'")
      const value = this.value(depth + 1)
      if (value === failed) return failed
      entries.push([key, value])
      this.skipSpace()
      if (!this.skip(',') && this.text[this.at] !== '}') return this.fail("',' or '}'")
    }
  }

  private key(): LiteralRead<string> {
    const quote = quotes.find(mark => this.text.startsWith(mark, this.at))
    if (quote !== undefined) return this.string(quote)
    const name = this.take(word)
    return name === '' ? this.fail('a key') : name
  }

  private list(close: string, depth: number): LiteralRead<unknown[]> {
    const items: unknown[] = []
    this.at += 1
    for (;;) {
      this.skipSpace()
      if (this.skip(close)) return items
      const value = this.value(depth + 1)
      if (value === failed) return failed
      items.push(value)
      this.skipSpace()
      if (!this.skip(',') && this.text[this.at] !== close) return this.fail(`',' or '${close}'`)
    }
  }

  private string(quote: string): LiteralRead<string> {
    const start = this.at + quote.length
    const hasEscapes = !plainQuotes.includes(quote)
    let end = start
    for (;;) {
      end = this.text.indexOf(quote, end)
      if (end < 0) {
        this.at = this.text.length
        return this.fail('the end of a string')
      }
      if (!hasEscapes || !this.isEscaped(end, start)) break
      end += 1
    }
    this.at = end + quote.length
    const inner = this.text.slice(start, end)
    return hasEscapes && inner.includes('\\') ? withoutEscapes(inner) : inner
  }

  /** Returns whether an odd number of backslashes precedes a position. */
  private isEscaped(at: number, start: number): boolean {
    let backslashes = 0
    while (at - 1 - backslashes >= start && this.text[at - 1 - backslashes] === '\\') backslashes += 1
    return backslashes % 2 === 1
  }

  private skipSpace(): void {
    this.take(space)
  }

  private skip(mark: string): boolean {
    if (!this.text.startsWith(mark, this.at)) return false
    this.at += mark.length
    return true
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)?.[0] ?? ''
    this.at += match.length
    return match
  }

  private fail(expected: string): typeof failed {
    this.expected = expected
    return failed
  }
}

/** Replaces the escapes of a string. A backslash before any other character stays, as in Python. */
function withoutEscapes(inner: string): string {
  return inner.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (sequence, code?: string, letter?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    if (letter === '\n') return ''
    if (letter !== undefined && Object.hasOwn(escapes, letter)) return escapes[letter]!
    return letter !== undefined && '"\'\\/'.includes(letter) ? letter : sequence
  })
}
