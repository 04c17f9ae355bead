import {
  type BodyReading,
  type ReadBody,
  readArguments,
  readCallList,
  readParameters,
  type UnreadBody,
} from './call-bodies.ts'
import { brokenCall, type CallPart, type FoundPart } from './call-part.ts'
import { type CallableTool, resolveToolName } from './call-values.ts'
import { type Mark, nextMark } from './marks.ts'
import { findPlainCalls } from './plain-calls.ts'
import { type CodeBlock, codeBlocks, gapsBetween, type Span, walkSpans } from './spans.ts'
import { findUnknownCalls } from './unknown-calls.ts'

/** The tool calls in a text. */
export interface TextCalls {
  readonly parts: readonly CallPart[]
  /** The text without these parts and without the marks around calls. */
  readonly rest: string
}

/** The most marks that are read in one text. No turn of a model contains as many. */
const maxMarks = 2_000

/**
 * Reads the tool calls that a model wrote in its text, in all forms of `callGrammars`, and as plain JSON or Python. Without
 * marks, only the name of a tool together with arguments is a call. What looks like a call but has no known form is a part
 * without calls. Takes time in proportion to the length of the text.
 *
 * @param tools - the tools of the model. Their schemas decide the types of parameters that are written as plain text.
 */
export function readTextCalls(text: string, tools: readonly CallableTool[]): TextCalls {
  const reading: BodyReading = { text, tools, spare: 4 * text.length + 10_000 }
  const { found, noise } = findMarked(reading)
  const blocks = codeBlocks(text)
  const plain = findPlainCalls(reading, blocks, [...found, ...noise])
  const unknown = findUnknownCalls(text, tools, { covered: [...found, ...noise, ...plain], blocks })
  const parts = [...found, ...plain, ...unknown].sort((a, b) => a.start - b.start)
  const rest = gapsBetween(text, [...parts, ...noise])
    .map(({ start, end }) => text.slice(start, end))
    .join('')
  return { parts: placeParts(text, parts, { noise, blocks }), rest: rest.trim() }
}

/** Finds the calls between marks. `noise` are marks that surround calls or nothing. */
function findMarked(reading: BodyReading): { found: FoundPart[]; noise: Span[] } {
  const { text, tools } = reading
  const found: FoundPart[] = []
  const noise: Span[] = []
  let mark = nextMark(text, 0)
  for (let count = 1; mark !== null; count++) {
    const { grammar, start } = mark
    if (grammar === null) {
      noise.push(mark)
      mark = nextMark(text, mark.end)
      continue
    }
    const part = { start, calls: [], broken: null, grammar: grammar.name, isMarked: true, isOpen: false }
    if (count > maxMarks) {
      found.push({ ...part, end: text.length })
      break
    }
    const name = resolveToolName(mark.name, tools)
    const body = readBody(reading, mark, name)
    if (typeof body !== 'string' && 'calls' in body) {
      found.push({ ...part, end: body.end, calls: body.calls, isOpen: body.isOpen })
      mark = nextMark(text, body.end)
      if (body.broken === undefined) continue
      const end = mark?.start ?? text.length
      const broken = brokenCall('', text.slice(body.end, end).trim(), body.broken.problem)
      found.push({ ...part, start: body.end, end, broken, isOpen: body.broken.isCut })
      continue
    }
    const next = nextMark(text, mark.end)
    const end = next?.start ?? text.length
    const inner = text.slice(mark.end, end).trim()
    const isAroundOther = inner === '' && next !== null && next.grammar !== null
    if (isAroundOther) noise.push(mark)
    else if (inner === '' || typeof body !== 'string') {
      const { problem, isCut } = typeof body === 'string' ? emptyCall(next === null) : body
      found.push({ ...part, end, broken: brokenCall(name, inner, problem), isOpen: isCut })
    } else found.push({ ...part, end })
    mark = next
  }
  return { found, noise }
}

function readBody(reading: BodyReading, { grammar, end }: Mark, name: string): ReadBody {
  if (grammar?.body === 'calls') return readCallList(reading, end, false)
  return (grammar?.body === 'arguments' ? readArguments : readParameters)(reading, end, name)
}

function emptyCall(isCut: boolean): UnreadBody {
  return { problem: 'it is empty', isCut }
}

/** What may follow the last call: ends of code and of the turn. */
const endMarks = /[;,`]|<\|\w{1,40}\|>|<\/s>|<end_of_turn>|<\/?think(?:ing)?>/gi

function placeParts(
  text: string,
  parts: readonly FoundPart[],
  { noise, blocks }: { readonly noise: readonly Span[]; readonly blocks: readonly CodeBlock[] },
): CallPart[] {
  if (parts.length === 0) return []
  const gaps = gapsBetween(text, [...parts, ...noise])
  const lastWords = gaps.findLast(
    ({ start, end }) => text.slice(start, end).replace(endMarks, '').trim() !== '',
  )
  const inBlocks = walkSpans(blocks)
  const inGroups = walkSpans(joinNeighbours(text, [...parts, ...noise]))
  return parts.map(part => {
    const block = inBlocks.after(part.start)
    const isInBlock = block !== undefined && block.start < part.start
    const group = inGroups.after(part.start) ?? part
    const isInCode = isInBlock || (text[group.start - 1] === '`' && text[group.end] === '`')
    return { ...part, isInCode, isLast: part.start >= (lastWords?.end ?? 0) }
  })
}

/** Joins spans with only white space between them, such as a call and the marks around it. */
function joinNeighbours(text: string, spans: readonly Span[]): Span[] {
  const groups: Span[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = groups.at(-1)
    const isNeighbour = last !== undefined && text.slice(last.end, span.start).trim() === ''
    if (isNeighbour) groups[groups.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    else groups.push({ start: span.start, end: span.end })
  }
  return groups
}
