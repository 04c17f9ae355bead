import { pythonRepr } from '../../src/score/python/text.ts'
import { writePythonFloat } from '../../src/text/python-json.ts'

/** A value of a Python literal. An int is a bigint, and a float is a number. */
export type PythonValue = string | bigint | number | boolean | null | PythonContainer

/** A list, tuple, set or dict of a Python literal. */
type PythonContainer =
  | { readonly kind: 'list' | 'tuple' | 'set'; readonly items: readonly PythonValue[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [PythonValue, PythonValue])[] }

/** Python nests brackets at most this deep. */
const mostNested = 200
/** Python reads integers of at most this many digits. */
const mostDigits = 4300

const simpleEscapes: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/**
 * Reads a text as Python's ast.literal_eval does. Bytes, complex numbers and escapes by character name are not
 * supported.
 *
 * @returns undefined when the text is no literal
 */
export function readPythonLiteral(text: string): PythonValue | undefined {
  if (text.includes('\0')) return undefined
  try {
    return new LiteralReader(text.replace(/^[ \t]+/, '').replace(/\r\n?/g, '\n')).read()
  } catch (error) {
    if (error instanceof NoLiteral) return undefined
    throw error
  }
}

class NoLiteral extends Error {}

/** Reads one literal. Outside brackets, a line break ends it. */
class LiteralReader {
  private at = 0
  private depth = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  read(): PythonValue {
    this.skip(/(?:[ \t\f]*(?:#[^\n]*)?\n)*/y)
    if (/[ \t]/.test(this.text.charAt(this.at))) throw new NoLiteral()
    const first = this.value()
    const value = this.take(',') ? this.restOfTuple(first, null) : first
    this.skip(/(?:[ \t\f]|\\\n)*(?:#[^\n]*)?(?:\n|$)(?:[ \t\f]*(?:#[^\n]*)?(?:\n|$))*/y)
    if (this.at < this.text.length) throw new NoLiteral()
    return value
  }

  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.at
    this.at += pattern.exec(this.text)?.[0].length ?? 0
  }

  private space(): void {
    this.skip(this.depth > 0 ? /(?:[ \t\f\n]|\\\n|#[^\n]*)*/y : /(?:[ \t\f]|\\\n)*/y)
  }

  /** Takes a sign if it comes next. */
  private take(sign: string): boolean {
    this.space()
    if (!this.text.startsWith(sign, this.at)) return false
    this.at += sign.length
    return true
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match !== null) this.at += match[0].length
    return match
  }

  private value(): PythonValue {
    this.space()
    const sign = this.match(/[+-]/y)?.[0]
    if (sign !== undefined) return this.signedNumber(sign)
    switch (this.text.charAt(this.at)) {
      case '[':
        return this.nested(() => ({ kind: 'list', items: this.itemsUntil(']') }))
      case '(':
        return this.nested(() => this.parenthesised())
      case '{':
        return this.nested(() => this.braces())
    }
    const text = this.texts()
    if (text !== null) return text
    const number = this.number()
    if (number !== null) return number
    const name = this.match(/(?:True|False|None)(?![\p{L}\p{N}_])/uy)?.[0]
    if (name === undefined) throw new NoLiteral()
    return name === 'None' ? null : name === 'True'
  }

  private nested(readValue: () => PythonValue): PythonValue {
    this.at += 1
    this.depth += 1
    if (this.depth > mostNested) throw new NoLiteral()
    const value = readValue()
    this.depth -= 1
    return value
  }

  /** Reads the elements up to a closing bracket. The last one may have a comma. */
  private itemsUntil(close: string): PythonValue[] {
    const items: PythonValue[] = []
    while (!this.take(close)) {
      items.push(this.value())
      if (this.take(close)) return items
      if (!this.take(',')) throw new NoLiteral()
    }
    return items
  }

  private parenthesised(): PythonValue {
    if (this.take(')')) return { kind: 'tuple', items: [] }
    const first = this.value()
    if (this.take(')')) return first
    if (!this.take(',')) throw new NoLiteral()
    return this.restOfTuple(first, ')')
  }

  private restOfTuple(first: PythonValue, close: string | null): PythonValue {
    if (close !== null) return { kind: 'tuple', items: [first, ...this.itemsUntil(close)] }
    const items = [first]
    for (;;) {
      this.space()
      if (/^(?:#|\n|$)/.test(this.text.slice(this.at, this.at + 1))) return { kind: 'tuple', items }
      items.push(this.value())
      if (!this.take(',')) return { kind: 'tuple', items }
    }
  }

  private braces(): PythonValue {
    if (this.take('}')) return { kind: 'dict', entries: [] }
    const first = this.value()
    if (!this.take(':')) {
      if (this.take('}')) return { kind: 'set', items: selectDistinct([first]) }
      if (!this.take(',')) throw new NoLiteral()
      return { kind: 'set', items: selectDistinct([first, ...this.itemsUntil('}')]) }
    }
    const entries: [PythonValue, PythonValue][] = [[first, this.value()]]
    while (!this.take('}')) {
      if (!this.take(',')) throw new NoLiteral()
      if (this.take('}')) break
      const key = this.value()
      if (!this.take(':')) throw new NoLiteral()
      entries.push([key, this.value()])
    }
    return { kind: 'dict', entries: selectLastOfKeys(entries) }
  }

  private signedNumber(sign: string): PythonValue {
    this.space()
    const close = this.text.charAt(this.at) === '('
    if (close) this.at += 1
    if (close) this.depth += 1
    this.space()
    const number = this.number()
    if (number === null) throw new NoLiteral()
    if (close && !this.take(')')) throw new NoLiteral()
    if (close) this.depth -= 1
    return sign === '-' ? -number : number
  }

  private number(): bigint | number | null {
    const digits = '\\d+(?:_\\d+)*'
    const float = new RegExp(
      `(?:(?:${digits})?\\.${digits}|${digits}\\.)(?:[eE][+-]?${digits})?|${digits}[eE][+-]?${digits}`,
      'y',
    )
    const match =
      this.match(/0(?:[xX](?:_?[\da-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)/y) ??
      this.match(float) ??
      this.match(new RegExp(digits, 'y'))
    if (match === null) return null
    if (/[\p{L}\p{N}_.]/u.test(this.text.slice(this.at, this.at + 2).charAt(0))) throw new NoLiteral()
    const source = match[0].replaceAll('_', '')
    if (/^0[xob]/i.test(source)) return BigInt(source.toLowerCase())
    if (/[.eE]/.test(source)) return Number(source)
    if (/^0+[1-9]/.test(source) || source.length > mostDigits) throw new NoLiteral()
    return BigInt(source)
  }

  /** Reads texts that follow one another, which are joined. */
  private texts(): string | null {
    let joined: string | null = null
    for (;;) {
      const start = this.match(/([rRuU]?)("""|'''|"|')/y)
      if (start === null) return joined
      joined = (joined ?? '') + this.restOfText(start[2]!, start[1]!.toLowerCase() === 'r')
      this.space()
    }
  }

  private restOfText(quote: string, isRaw: boolean): string {
    let out = ''
    for (;;) {
      if (this.at >= this.text.length) throw new NoLiteral()
      if (this.text.startsWith(quote, this.at)) {
        this.at += quote.length
        return out
      }
      const character = this.text.charAt(this.at)
      if (character === '\n' && quote.length === 1) throw new NoLiteral()
      if (character !== '\\') {
        out += character
        this.at += 1
        continue
      }
      out += isRaw ? this.rawEscape() : this.escape()
    }
  }

  private rawEscape(): string {
    const pair = this.text.slice(this.at, this.at + 2)
    this.at += 2
    return pair
  }

  private escape(): string {
    this.at += 1
    const octal = this.match(/[0-7]{1,3}/y)
    if (octal !== null) return String.fromCodePoint(Number.parseInt(octal[0], 8))
    const character = this.text.charAt(this.at)
    if (/[xuUN]/.test(character)) return this.numberedCharacter()
    this.at += 1
    return simpleEscapes[character] ?? `\\${character}`
  }

  private numberedCharacter(): string {
    const codeEscape = this.match(/x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}/y)
    const code = Number.parseInt(codeEscape?.[0].slice(1) ?? '', 16)
    if (!(code <= 0x10ffff)) throw new NoLiteral()
    return String.fromCodePoint(code)
  }
}

/** Returns a text that is the same for keys that Python regards as equal: 1, 1.0 and True. */
function writeKey(value: PythonValue): string {
  if (typeof value === 'string') return `text ${value}`
  if (value === null) return 'None'
  if (typeof value === 'boolean') return `number ${Number(value)}`
  if (typeof value === 'bigint') return `number ${value}`
  if (typeof value === 'number') return `number ${Number.isInteger(value) ? BigInt(value) : value}`
  if (value.kind !== 'tuple') throw new NoLiteral()
  return `(${value.items.map(item => JSON.stringify(writeKey(item))).join()})`
}

function selectDistinct(items: readonly PythonValue[]): PythonValue[] {
  const values = new Map<string, PythonValue>()
  for (const item of items) if (!values.has(writeKey(item))) values.set(writeKey(item), item)
  return [...values.values()]
}

/** A repeated key keeps its first spelling and gets its last value. */
function selectLastOfKeys(entries: readonly [PythonValue, PythonValue][]): [PythonValue, PythonValue][] {
  const last = new Map<string, [PythonValue, PythonValue]>()
  for (const [key, value] of entries) last.set(writeKey(key), [last.get(writeKey(key))?.[0] ?? key, value])
  return [...last.values()]
}

/** Python's str() of a value. */
export function writePythonValue(value: PythonValue): string {
  return typeof value === 'string' ? value : writeRepr(value)
}

/** Python's repr() of a value. */
export function writeRepr(value: PythonValue): string {
  if (value === null) return 'None'
  if (typeof value === 'string') return pythonRepr(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return writePythonFloat(value)
  if (value.kind === 'dict')
    return `{${value.entries.map(([key, inner]) => `${writeRepr(key)}: ${writeRepr(inner)}`).join(', ')}}`
  const items = value.items.map(writeRepr)
  if (value.kind === 'list') return `[${items.join(', ')}]`
  if (value.kind === 'tuple') return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`
  return items.length === 0 ? 'set()' : `{${items.join(', ')}}`
}

/** Python's ==: numbers of all types by value. */
export function arePythonValuesEqual(left: PythonValue, right: PythonValue): boolean {
  if (isContainer(left) || isContainer(right)) return writeRepr(left) === writeRepr(right)
  if (typeof left === 'string' || typeof right === 'string' || left === null || right === null)
    return left === right
  const [a, b] = [asNumber(left), asNumber(right)]
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals a number of the same value only by ==.
  return a == b
}

const isContainer = (value: PythonValue): value is PythonContainer =>
  typeof value === 'object' && value !== null
const asNumber = (value: bigint | number | boolean): bigint | number =>
  typeof value === 'boolean' ? Number(value) : value
