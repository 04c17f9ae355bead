import {
  type BodyReading,
  type ReadBody,
  readArguments,
  readCallList,
  readParameters,
  type UnreadBody,
} from './call-bodies.ts'
import { findCallLikes } from './call-likes.ts'
import { brokenCall, type CallPart, type FoundPart } from './call-part.ts'
import { type CallableTool, resolveToolName } from './call-values.ts'
import { type CallGrammar, callGrammars } from './grammars.ts'
import { findPlainCalls } from './plain-calls.ts'
import { type CodeBlock, codeBlocks, gapsBetween, type Span, walkSpans } from './spans.ts'

/** The tool calls in a text. */
export interface TextCalls {
  readonly parts: readonly CallPart[]
  /** The text without these parts and without the marks around calls. */
  readonly rest: string
}

/** The most broken calls that are reported for one text. */
const maxBroken = 20

const marks = new RegExp(
  [
    ...callGrammars.map(({ open }, at) => `(?<open${at}>${open.replace('(?<name>', `(?<name${at}>`)})`),
    ...callGrammars.flatMap(({ around }) => around ?? []),
  ].join('|'),
  'gi',
)

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
  const likes = findCallLikes(text, tools, { covered: [...found, ...noise, ...plain], blocks })
  const parts = [...found, ...plain, ...likes].sort((a, b) => a.start - b.start)
  const rest = gapsBetween(text, [...parts, ...noise])
    .map(({ start, end }) => text.slice(start, end))
    .join('')
  return { parts: placeParts(text, parts, { noise, blocks }), rest: rest.trim() }
}

interface FoundMark extends Span {
  /** The form, if the mark opens a call; null for another mark. */
  readonly grammar: CallGrammar | null
  readonly name: string
}

function findMarks(text: string): FoundMark[] {
  return [...text.matchAll(marks)].map(match => {
    const { groups = {}, index } = match
    const which = callGrammars.findIndex((_, at) => groups[`open${at}`] !== undefined)
    return {
      start: index,
      end: index + match[0].length,
      grammar: callGrammars[which] ?? null,
      name: groups[`name${which}`] ?? '',
    }
  })
}

/** Finds the calls between marks. `noise` are marks that surround calls or nothing. */
function findMarked(reading: BodyReading): { found: FoundPart[]; noise: Span[] } {
  const { text, tools } = reading
  const found: FoundPart[] = []
  const noise: Span[] = []
  const all = findMarks(text)
  let at = 0
  let broken = 0
  for (const [index, mark] of all.entries()) {
    if (mark.start < at) continue
    const { grammar, start } = mark
    if (grammar === null) {
      noise.push(mark)
      continue
    }
    const name = resolveToolName(mark.name, tools)
    const body = readBody(reading, mark, name)
    const part = { start, calls: [], broken: null, grammar: grammar.name, isMarked: true, isOpen: false }
    if (typeof body !== 'string' && 'calls' in body) {
      at = body.end
      found.push({ ...part, end: body.end, calls: body.calls, isOpen: body.isOpen })
      continue
    }
    const next = all[index + 1]
    const end = next?.start ?? text.length
    const inner = text.slice(mark.end, end).trim()
    const isEmpty = inner === ''
    if (isEmpty && next !== undefined && next.grammar !== null) noise.push(mark)
    else if (isEmpty || typeof body !== 'string') {
      const { problem, isCut } = typeof body === 'string' ? emptyCall(next === undefined) : body
      if (broken < maxBroken)
        found.push({ ...part, end, broken: brokenCall(name, inner, problem), isOpen: isCut })
      else noise.push({ start, end })
      broken += 1
    } else found.push({ ...part, end })
    at = end
  }
  return { found, noise }
}

function readBody(reading: BodyReading, { grammar, end }: FoundMark, name: string): ReadBody {
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
  const walk = walkSpans(blocks)
  return parts.map(part => {
    const block = walk.after(part.start)
    const isInBlock = block !== undefined && block.start < part.start
    const isInCode = isInBlock || (text[part.start - 1] === '`' && text[part.end] === '`')
    return { ...part, isInCode, isLast: part.start >= (lastWords?.end ?? 0) }
  })
}
