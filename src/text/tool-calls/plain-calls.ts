import { type BodyReading, type ReadBody, readCallList, type UnreadBody } from './call-bodies.ts'
import { brokenCall, type FoundPart } from './call-part.ts'
import { callFences } from './grammars.ts'
import { type CodeBlock, type Span, walkSpans } from './spans.ts'

/** Matches the beginnings of lines where JSON or a Python call may begin. */
const lineStart = /^[ \t]{0,20}(?=[[{A-Za-z_])/gm

/** The most characters of a broken call without marks. */
const maxBroken = 20_000

/**
 * Finds calls without marks: a code block that contains only calls, and lines that begin with one. Only the name of a tool
 * together with arguments is a call, so an answer in JSON never is.
 *
 * @param covered - the parts of the text that were read before
 */
export function findPlainCalls(
  reading: BodyReading,
  blocks: readonly CodeBlock[],
  covered: readonly Span[],
): FoundPart[] {
  const { text, tools } = reading
  if (tools.length === 0) return []
  const read = walkSpans(covered)
  const fenced = blocks.flatMap(block => {
    const isRead = (read.after(block.start)?.start ?? text.length) < block.end
    return isRead || !callFences.includes(block.language) ? [] : readBlock(reading, block)
  })
  return [...fenced, ...readLines(reading, [...covered, ...blocks])]
}

function readBlock(reading: BodyReading, block: CodeBlock): FoundPart[] {
  const { text } = reading
  const isOwnMark = block.language.startsWith('tool_')
  const { contentStart, contentEnd } = block
  const body = readUntil(reading, contentStart, { end: contentEnd, mustBeTools: !isOwnMark })
  const start = contentStart + Math.max(0, text.slice(contentStart, contentEnd).search(/\S/))
  const parts = collectParts(reading, { start, end: contentEnd }, body)
  const last = parts.at(-1)
  if (last === undefined) return []
  if (last.broken === null && text.slice(last.end, contentEnd).trim() !== '') return []
  return parts.map((part, index) => ({
    ...part,
    start: index === 0 ? block.start : part.start,
    end: index === parts.length - 1 ? block.end : part.end,
    grammar: isOwnMark ? 'gemma' : part.grammar,
    isMarked: isOwnMark,
  }))
}

function readLines(reading: BodyReading, others: readonly Span[]): FoundPart[] {
  const { text } = reading
  const all: FoundPart[] = []
  const walk = walkSpans(others)
  lineStart.lastIndex = 0
  for (let match = lineStart.exec(text); match !== null; match = lineStart.exec(text)) {
    const start = match.index + match[0].length
    const other = walk.after(start)
    if (other !== undefined && other.start <= start) {
      lineStart.lastIndex = other.end
      continue
    }
    const end = other?.start ?? text.length
    const body = readUntil(reading, start, { end, mustBeTools: true })
    const parts = collectParts(reading, { start, end: Math.min(end, start + maxBroken) }, body)
    const partsEnd = parts.at(-1)?.end ?? start
    if (/^[ \t;,.]*(?:\r?\n|$)/.test(text.slice(partsEnd, partsEnd + 200))) all.push(...parts)
    const readTo = typeof body !== 'string' && 'valueEnd' in body ? body.valueEnd : partsEnd
    lineStart.lastIndex = Math.max(readTo ?? start, match.index + 1)
  }
  return all
}

/** Reads calls before a position. */
function readUntil(
  reading: BodyReading,
  start: number,
  { end, mustBeTools }: { readonly end: number; readonly mustBeTools: boolean },
): ReadBody {
  const inside = { ...reading, text: reading.text.slice(0, end) }
  const body = readCallList(inside, start, mustBeTools)
  reading.spare = inside.spare
  return body
}

/**
 * Returns the calls of a body and, if it names a tool, a broken call behind them; an empty list for anything else.
 *
 * @param span - from the beginning of the body to the place where a broken call ends at the latest
 */
function collectParts(reading: BodyReading, { start, end }: Span, body: ReadBody): FoundPart[] {
  if (typeof body === 'string') return []
  if (!('calls' in body)) return collectBroken(reading, { start, end }, body)
  const grammar = grammarAt(reading.text, start)
  const part = { start, end: body.end, broken: null, grammar, isMarked: false, isOpen: false }
  const behind = { start: body.end, end: Math.max(end, body.end) }
  const broken = body.broken === undefined ? [] : collectBroken(reading, behind, body.broken)
  return [{ ...part, calls: body.calls }, ...broken]
}

function collectBroken(
  { text, tools }: BodyReading,
  { start, end }: Span,
  { problem, isCut, valueEnd }: UnreadBody,
): FoundPart[] {
  if (valueEnd !== undefined) return []
  const { name } = brokenCall('', text.slice(start, Math.min(end, start + 2_000)), problem)
  if (!tools.some(tool => tool.name === name)) return []
  const [paragraph = ''] = text.slice(start, end).split('\n\n', 1)
  const broken = brokenCall(name, paragraph, problem)
  const grammar = grammarAt(text, start)
  const span = { start, end: start + paragraph.length }
  return [{ ...span, calls: [], broken, grammar, isMarked: false, isOpen: isCut }]
}

function grammarAt(text: string, start: number): string {
  return /^\W{0,40}(?:print\()?[\w.]{1,168}\(/.test(text.slice(start, start + 240)) ? 'python' : 'json'
}
