// AOE's files are written and read by Python. Its JSON differs from JavaScript's in ways that are visible in a gold table: 5.0
// is not 5, integers have any size, and NaN and Infinity are allowed.

/** The prefix of a string that stands for a number which Python and JavaScript print differently. */
const numberMark = '\u0000number:'
const literal = /-?Infinity|NaN|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Parses JSON as Python's json.loads does. NaN becomes null. A number that JavaScript would print differently becomes a string
 * that `readMarkedNumber` reads.
 *
 * @throws SyntaxError
 */
export function parsePythonJson(text: string): unknown {
  return JSON.parse(replaceNumbers(text, markNumber))
}

/** Replaces each number literal in a JSON text, including NaN and Infinity. Strings stay as they are. */
export function replaceNumbers(text: string, replacement: (literal: string) => string): string {
  let rewritten = ''
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at)
    const gapEnd = quote < 0 ? text.length : quote
    rewritten += text.slice(at, gapEnd).replace(literal, replacement)
    if (quote < 0) break
    const stringEnd = findStringEnd(text, quote)
    rewritten += text.slice(quote, stringEnd)
    at = stringEnd
  }
  return rewritten
}

/** Lists the names that an object of a valid JSON text has more than once. Parsers keep the last value without a word. */
export function listRepeatedMembers(text: string): string[] {
  const repeated = new Set<string>()
  const open: (Set<string> | null)[] = []
  const sign = /["{}[\]]/g
  for (let match = sign.exec(text); match !== null; match = sign.exec(text)) {
    if (match[0] === '{') open.push(new Set())
    else if (match[0] === '[') open.push(null)
    else if (match[0] !== '"') open.pop()
    else {
      sign.lastIndex = findStringEnd(text, match.index)
      const names = open.at(-1)
      if (!names || !/^\s*:/.test(text.slice(sign.lastIndex, sign.lastIndex + 20))) continue
      const name = text.slice(match.index + 1, sign.lastIndex - 1)
      if (names.has(name)) repeated.add(name)
      names.add(name)
    }
  }
  return [...repeated]
}

function findStringEnd(text: string, openingQuote: number): number {
  for (let end = text.indexOf('"', openingQuote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end + 1
  }
  return text.length
}

function markNumber(source: string): string {
  if (source === 'NaN') return 'null'
  const printed = writePythonNumber(source)
  const value = Number(source)
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value)
  return isExact && printed === String(value) ? source : JSON.stringify(numberMark + printed)
}

/** Returns the text by which Python prints the number of a literal. */
export function writePythonNumber(source: string): string {
  if (source.endsWith('Infinity')) return source.replace('Infinity', 'inf')
  if (/^-?\d+$/.test(source)) return source === '-0' ? '0' : source
  return writePythonFloat(Number(source))
}

/** Returns Python's repr() of a float: the shortest digits that read back, with an exponent below 1e-4 and from 1e16. */
export function writePythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const [mantissa, exponentText] = value.toExponential().split('e') as [string, string]
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < 16) {
    const plain = String(value)
    return plain.includes('.') ? plain : `${plain}.0`
  }
  const sign = exponent < 0 ? '-' : '+'
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Returns the printed form of a number that `parsePythonJson` marked; null for any other value. */
export function readMarkedNumber(value: unknown): string | null {
  return typeof value === 'string' && value.startsWith(numberMark) ? value.slice(numberMark.length) : null
}

/** Writes JSON as Python's json.dumps(value, ensure_ascii=False) does: `["a", "b"]`. */
export function writePythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writePythonJson).join(', ')}]`
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).map(
      ([key, inner]) => `${JSON.stringify(key)}: ${writePythonJson(inner)}`,
    )
    return `{${entries.join(', ')}}`
  }
  const number = readMarkedNumber(value)
  if (number !== null) return number.replace('inf', 'Infinity')
  return JSON.stringify(value) ?? 'null'
}
