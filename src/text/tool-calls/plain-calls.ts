import { type BodyReading, type ReadBody, readCallList } from './call-bodies.ts'
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
  const body = readUntil(reading, block.contentStart, { end: block.contentEnd, mustBeTools: !isOwnMark })
  const first = text.slice(block.contentStart, block.contentEnd).search(/\S/)
  const start = block.contentStart + Math.max(0, first)
  const part = describe(reading, { start, end: block.contentEnd }, body)
  if (part === null) return []
  if (part.broken === null && text.slice(part.end, block.contentEnd).trim() !== '') return []
  const grammar = isOwnMark ? 'gemma' : part.grammar
  return [{ ...part, start: block.start, end: block.end, grammar, isMarked: isOwnMark }]
}

function readLines(reading: BodyReading, others: readonly Span[]): FoundPart[] {
  const { text } = reading
  const parts: FoundPart[] = []
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
    const part = describe(reading, { start, end: Math.min(end, start + maxBroken) }, body)
    const isAlone = part !== null && /^[ \t;,.]*(?:\r?\n|$)/.test(text.slice(part.end, part.end + 200))
    if (isAlone) parts.push(part)
    const readTo = typeof body !== 'string' && 'valueEnd' in body ? body.valueEnd : part?.end
    lineStart.lastIndex = Math.max(readTo ?? start, match.index + 1)
  }
  return parts
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
 * Returns the calls of a body, or a broken call if it names a tool; null for anything else.
 *
 * @param span - from the beginning of the body to the place where a broken call ends at the latest
 */
function describe({ text, tools }: BodyReading, { start, end }: Span, body: ReadBody): FoundPart | null {
  if (typeof body === 'string') return null
  const grammar = /[[{]/.test(text[start] ?? '') ? 'json' : 'python'
  const part = { start, calls: [], broken: null, grammar, isMarked: false }
  if ('calls' in body) return { ...part, end: body.end, calls: body.calls, isOpen: false }
  if (body.valueEnd !== undefined) return null
  const { name } = brokenCall('', text.slice(start, Math.min(end, start + 2_000)), '')
  if (!tools.some(tool => tool.name === name)) return null
  const [paragraph = ''] = text.slice(start, end).split('\n\n', 1)
  const broken = brokenCall(name, paragraph, body.problem)
  return { ...part, end: start + paragraph.length, broken, isOpen: body.isCut }
}
