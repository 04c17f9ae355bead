import { findEnvironmentArguments, findMacroArguments, isMathEnvironment } from './latex-arguments.ts'
import { EndOfLatex, type LatexToken, readNextToken } from './latex-tokens.ts'

/** A node of a LaTeX source. `args` is null when the arguments could not be read. */
export type LatexNode =
  | { readonly kind: 'chars' | 'specials'; readonly text: string }
  | { readonly kind: 'macro'; readonly name: string; readonly args: readonly LatexNode[] | null }
  | {
      readonly kind: 'group'
      readonly delimiters: readonly [string, string]
      readonly nodes: readonly LatexNode[]
    }
  | { readonly kind: 'math'; readonly nodes: readonly LatexNode[] }
  | {
      readonly kind: 'environment'
      readonly name: string
      readonly args: readonly LatexNode[] | null
      readonly nodes: readonly LatexNode[]
    }

/** Returns the nodes below a node, its arguments first. */
export function listParts(node: LatexNode): readonly LatexNode[] {
  if (node.kind === 'macro') return node.args ?? []
  if (node.kind === 'environment') return [...(node.args ?? []), ...node.nodes]
  return 'nodes' in node ? node.nodes : []
}

/** Python's recursion ends near this depth of nesting. */
const deepest = 200

interface LatexReading<T> {
  readonly value: T
  readonly end: number
}

interface Stop {
  readonly brace?: '}' | ']'
  readonly environment?: string
  readonly math?: string
}

/**
 * Reads a LaTeX source as pylatexenc 2.10 does: it knows the arguments of some macros and environments, and it skips
 * what does not fit instead of stopping.
 *
 * @throws RangeError when the source is nested too deeply
 */
export const readLatex = (source: string): LatexNode[] => new LatexReader(source).nodes(0, {}, null).value

class LatexReader {
  readonly #source: string
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Reads nodes up to a stop or the end of the source. */
  nodes(from: number, stop: Stop, math: string | null): LatexReading<LatexNode[]> {
    this.#depth += 1
    if (this.#depth > deepest) throw new RangeError('nested too deeply')
    const nodes: LatexNode[] = []
    let at = from
    let text = ''
    const flush = (): void => {
      if (text !== '') nodes.push({ kind: 'chars', text })
      text = ''
    }
    for (;;) {
      let token: LatexToken
      try {
        token = readNextToken(this.#source, at, { brackets: stop.brace === ']', environments: true, math })
      } catch (error) {
        if (!(error instanceof EndOfLatex)) throw error
        text += error.space
        at += error.space.length
        break
      }
      at = token.end
      text += token.space
      if (token.kind === 'char') {
        text += token.text
        continue
      }
      flush()
      if (isStop(token, stop)) break
      const reading = this.#nodeAt(token, math)
      if (reading === null) continue
      if (reading.value !== null) nodes.push(reading.value)
      at = reading.end
    }
    flush()
    this.#depth -= 1
    return { value: nodes, end: at }
  }

  /** Reads the node that a token starts; null for a token that does not fit. A comment is read as no node. */
  #nodeAt(token: LatexToken, math: string | null): LatexReading<LatexNode | null> | null {
    if (token.kind === 'comment') return { value: null, end: token.end }
    if (token.kind === 'specials') return { value: { kind: 'specials', text: token.text }, end: token.end }
    if (token.kind === 'open') return this.#group(token, math)
    if (token.kind === 'begin') return this.#environment(token, math)
    if (token.kind === 'macro') {
      const args = this.#argumentsOf(token, findMacroArguments(token.text), math)
      return { value: { kind: 'macro', name: token.text, args: args.value }, end: args.end }
    }
    if (token.kind !== 'math' || token.text === '\\)' || token.text === '\\]') return null
    const closing = { '\\(': '\\)', '\\[': '\\]' }[token.text] ?? token.text
    const inner = this.nodes(token.end, { math: closing }, token.text)
    return { value: { kind: 'math', nodes: inner.value }, end: inner.end }
  }

  #group(open: LatexToken, math: string | null): LatexReading<LatexNode> {
    const closing = open.text === '[' ? ']' : '}'
    const inner = this.nodes(open.end, { brace: closing }, math)
    return { value: { kind: 'group', delimiters: [open.text, closing], nodes: inner.value }, end: inner.end }
  }

  #environment(begin: LatexToken, math: string | null): LatexReading<LatexNode> {
    const name = begin.text
    const args = this.#argumentsOf(begin, name === 'verbatim' ? 'v' : findEnvironmentArguments(name), math)
    const inner = this.nodes(args.end, { environment: name }, isMathEnvironment(name) ? `{${name}}` : math)
    return { value: { kind: 'environment', name, args: args.value, nodes: inner.value }, end: inner.end }
  }

  /** Reads the arguments after a token. They are null, and nothing is read, when the source ends before them. */
  #argumentsOf(
    after: LatexToken,
    spec: string,
    math: string | null,
  ): LatexReading<readonly LatexNode[] | null> {
    const depth = this.#depth
    try {
      if (after.kind === 'macro' && after.text === 'verb') return this.#verb(after.end)
      if (spec === 'v') return this.#verbatim(after.end)
      const args: LatexNode[] = []
      let at = after.end
      for (const kind of spec) {
        const reading = this.#argument(kind, at, after, math)
        if (reading === null) continue
        args.push(reading.value)
        at = reading.end
      }
      return { value: args, end: at }
    } catch (error) {
      if (!(error instanceof EndOfLatex)) throw error
      this.#depth = depth
      return { value: null, end: after.end }
    }
  }

  #argument(
    kind: string,
    at: number,
    after: LatexToken,
    math: string | null,
  ): LatexReading<LatexNode> | null {
    if (kind === '{') return this.#expression(at, readInsideArgument(after.text, math))
    if (kind === '*') {
      const token = readNextToken(this.#source, at, { brackets: false, environments: true, math: null })
      const isStar = token.kind === 'char' && token.text === '*'
      return isStar ? { value: { kind: 'chars', text: '*' }, end: token.end } : null
    }
    if (after.text === '\\' && /\s/.test(this.#source[at] ?? '')) return null
    return this.#optional(at, math)
  }

  #optional(at: number, math: string | null): LatexReading<LatexNode> | null {
    try {
      const token = readNextToken(this.#source, at, { brackets: true, environments: false, math })
      return token.kind === 'open' && token.text === '[' ? this.#group(token, math) : null
    } catch (error) {
      if (error instanceof EndOfLatex) return null
      throw error
    }
  }

  /** Reads one expression: a group, a macro without its arguments, or a character. */
  #expression(from: number, math: string | null): LatexReading<LatexNode> {
    let at = from
    for (;;) {
      const token = readNextToken(this.#source, at, { brackets: false, environments: false, math })
      const nothing = { value: { kind: 'chars', text: '' }, end: token.start } as const
      if (token.kind === 'open') return this.#group(token, math)
      if (token.kind === 'close') return nothing
      if (token.kind === 'macro' || (token.kind === 'math' && token.text.startsWith('\\'))) {
        if (token.text === 'end') return nothing
        return { value: { kind: 'macro', name: token.text, args: [] }, end: token.end }
      }
      if (token.kind !== 'comment') {
        const kind = token.kind === 'specials' ? 'specials' : 'chars'
        return { value: { kind, text: token.text }, end: token.end }
      }
      at = token.end
    }
  }

  #verb(from: number): LatexReading<readonly LatexNode[]> {
    let at = from
    while (/\s/.test(this.#source[at] ?? '')) at += 1
    const delimiter = this.#source[at]
    const end = delimiter === undefined ? -1 : this.#source.indexOf(delimiter, at + 1)
    if (end < 0) throw new EndOfLatex('')
    return { value: [{ kind: 'chars', text: this.#source.slice(at + 1, end) }], end: end + 1 }
  }

  #verbatim(from: number): LatexReading<readonly LatexNode[]> {
    const end = this.#source.indexOf('\\end{verbatim}', from)
    if (end < 0) throw new EndOfLatex('')
    return { value: [{ kind: 'chars', text: this.#source.slice(from, end) }], end }
  }
}

function isStop(token: LatexToken, stop: Stop): boolean {
  if (token.kind === 'close') return token.text === stop.brace
  if (token.kind === 'end') return token.text === stop.environment
  return token.kind === 'math' && token.text === stop.math
}

/** The arguments of \text and the like are text again, also inside mathematics. */
const readInsideArgument = (macro: string, math: string | null): string | null =>
  /^text(?:rm|it|bf|md|sc|sf|sl|tt|up)?$/.test(macro) ? null : math
