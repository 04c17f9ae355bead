/** A part of a LaTeX source. `start` and `end` exclude the space before it. */
export interface LatexToken {
  readonly kind: 'char' | 'macro' | 'begin' | 'end' | 'comment' | 'open' | 'close' | 'math' | 'specials'
  readonly text: string
  readonly start: number
  readonly end: number
  /** The space before the token. */
  readonly space: string
}

/** What a token depends on beside its position. */
interface TokenContext {
  /** Brackets count as braces: inside an optional argument. */
  readonly brackets: boolean
  /** Reads \begin and \end with their names; otherwise they are plain macros. */
  readonly environments: boolean
  /** The delimiter of the mathematics around the position; null in text. */
  readonly math: string | null
}

/** The source ended. */
export class EndOfLatex extends Error {
  /** The space at the end of the source. */
  readonly space: string
  constructor(space: string) {
    super('the LaTeX source ended')
    this.space = space
  }
}

const isSpace = (character: string): boolean => /[\t-\r\x1c-\x20\x85\p{Z}]/u.test(character)
const letters = /[\p{L}]*/uy
const environmentName = /[\t-\r\x1c-\x20\x85\p{Z}]*\{([\p{L}\p{N}_* .-]+)\}/uy
const specials = ['---', '``', "''", '--', '!`', '?`', '&', '~']

/**
 * Reads the next token as pylatexenc 2.10 does when it tolerates errors.
 *
 * @throws EndOfLatex at the end of the source
 */
export function readNextToken(source: string, from: number, context: TokenContext): LatexToken {
  let at = from
  while (at < source.length && isSpace(source[at]!)) {
    at += 1
    // An empty line starts a paragraph.
    if (at - from >= 2 && source.startsWith('\n\n', at - 2))
      return { kind: 'char', text: '\n\n', start: at - 2, end: at, space: source.slice(from, at - 2) }
  }
  const space = source.slice(from, at)
  if (at >= source.length) throw new EndOfLatex(space)
  const token = (kind: LatexToken['kind'], text: string, end = at + text.length): LatexToken => ({
    kind,
    text,
    start: at,
    end,
    space,
  })
  const first = source[at]!
  if (first === '\\') return readMacroToken(source, at, context, token)
  if (first === '%') return readCommentToken(source, at, token)
  if (first === '{' || (context.brackets && first === '[')) return token('open', first)
  if (first === '}' || (context.brackets && first === ']')) return token('close', first)
  if (source.startsWith('$$', at) && context.math !== '$') return token('math', '$$')
  if (first === '$') return token('math', '$')
  const special = specials.find(characters => source.startsWith(characters, at))
  return special === undefined ? token('char', first) : token('specials', special)
}

type MakeToken = (kind: LatexToken['kind'], text: string, end?: number) => LatexToken

function readMacroToken(source: string, at: number, context: TokenContext, token: MakeToken): LatexToken {
  if (at + 1 >= source.length) throw new EndOfLatex('')
  letters.lastIndex = at + 1
  const name = letters.exec(source)?.[0] || source[at + 1]!
  const end = at + 1 + name.length
  if ('[]()'.includes(name)) return token('math', `\\${name}`)
  if (context.environments && (name === 'begin' || name === 'end')) {
    environmentName.lastIndex = end
    const named = environmentName.exec(source)
    if (named === null) return token('char', `\\${name}`)
    return token(name, named[1]!, end + named[0].length)
  }
  return token('macro', name, /^\p{L}/u.test(name) ? skipSpace(source, end) : end)
}

/** Skips the space after a macro, up to an empty line. */
function skipSpace(source: string, from: number): number {
  let at = from
  while (at < source.length && isSpace(source[at]!)) {
    at += 1
    if (at - from >= 2 && source.startsWith('\n\n', at - 2)) return at - 2
  }
  return at
}

/** A comment ends with its line. The space after it belongs to it, unless an empty line follows. */
function readCommentToken(source: string, at: number, token: MakeToken): LatexToken {
  const lineEnd = /[\n\r]/g
  lineEnd.lastIndex = at
  const match = lineEnd.exec(source)
  if (match === null) return token('comment', '', source.length)
  let end = match.index + 1
  if (/[\n\r]/.test(source[end] ?? '')) return token('comment', '', match.index)
  while (end < source.length && isSpace(source[end]!)) end += 1
  return token('comment', '', end)
}
