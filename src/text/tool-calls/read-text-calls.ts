import { escapePattern } from '../plain-text.ts'
import {
  type BodyReading,
  type ReadBody,
  readArguments,
  readCallList,
  readParameters,
  type UnreadBody,
} from './call-bodies.ts'
import { type CallPart, describeBrokenCall, type FoundPart } from './call-part.ts'
import { type CallableTool, readSchemaProperties, resolveToolName } from './call-values.ts'
import { callFences } from './grammars.ts'
import {
  type CallMark,
  type CodeBlock,
  createSpanWalk,
  findNextMark,
  listCodeBlocks,
  listGaps,
  type TextSpan,
} from './spans.ts'

/** The tool calls in a text. */
interface TextCalls {
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
  const { parts: markedParts, noise } = findMarked(reading)
  const blocks = listCodeBlocks(text)
  const plain = findPlainCalls(reading, blocks, [...markedParts, ...noise])
  const unknown = findUnknownCalls(text, tools, { covered: [...markedParts, ...noise, ...plain], blocks })
  const parts = [...markedParts, ...plain, ...unknown].sort((a, b) => a.start - b.start)
  const rest = listGaps(text, [...parts, ...noise])
    .map(({ start, end }) => text.slice(start, end))
    .join('')
  return { parts: placeParts(text, parts, { noise, blocks }), rest: rest.trim() }
}

/** Finds the calls between marks. `noise` are marks that surround calls or nothing. */
function findMarked(reading: BodyReading): { parts: FoundPart[]; noise: TextSpan[] } {
  const { text, tools } = reading
  const parts: FoundPart[] = []
  const noise: TextSpan[] = []
  let mark = findNextMark(text, 0)
  for (let count = 1; mark !== null; count++) {
    const { grammar, start } = mark
    if (grammar === null) {
      noise.push(mark)
      mark = findNextMark(text, mark.end)
      continue
    }
    const part = { start, calls: [], broken: null, grammar: grammar.name, isMarked: true, isOpen: false }
    if (count > maxMarks) {
      parts.push({ ...part, end: text.length })
      break
    }
    const name = resolveToolName(mark.name, tools)
    const body = readBody(reading, mark, name)
    if (typeof body !== 'string' && 'calls' in body) {
      parts.push({ ...part, end: body.end, calls: body.calls, isOpen: body.isOpen })
      mark = findNextMark(text, body.end)
      if (body.broken === undefined) continue
      const end = mark?.start ?? text.length
      const broken = describeBrokenCall('', text.slice(body.end, end).trim(), body.broken.problem)
      parts.push({ ...part, start: body.end, end, broken, isOpen: body.broken.isCut })
      continue
    }
    const next = findNextMark(text, mark.end)
    const end = next?.start ?? text.length
    const inner = text.slice(mark.end, end).trim()
    const isAroundOther = inner === '' && next !== null && next.grammar !== null
    if (isAroundOther) noise.push(mark)
    else if (inner === '' || typeof body !== 'string') {
      const { problem, isCut } = typeof body === 'string' ? makeEmptyCall(next === null) : body
      parts.push({ ...part, end, broken: describeBrokenCall(name, inner, problem), isOpen: isCut })
    } else parts.push({ ...part, end })
    mark = next
  }
  return { parts, noise }
}

function readBody(reading: BodyReading, { grammar, end }: CallMark, name: string): ReadBody {
  if (grammar?.body === 'calls') return readCallList(reading, end, false)
  return (grammar?.body === 'arguments' ? readArguments : readParameters)(reading, end, name)
}

function makeEmptyCall(isCut: boolean): UnreadBody {
  return { problem: 'it is empty', isCut }
}

/** What may follow the last call: ends of code and of the turn. */
const endMarks = /[;,`]|<\|\w{1,40}\|>|<\/s>|<end_of_turn>|<\/?think(?:ing)?>/gi

function placeParts(
  text: string,
  parts: readonly FoundPart[],
  { noise, blocks }: { readonly noise: readonly TextSpan[]; readonly blocks: readonly CodeBlock[] },
): CallPart[] {
  if (parts.length === 0) return []
  const gaps = listGaps(text, [...parts, ...noise])
  const lastWords = gaps.findLast(
    ({ start, end }) => text.slice(start, end).replace(endMarks, '').trim() !== '',
  )
  const inBlocks = createSpanWalk(blocks)
  const inGroups = createSpanWalk(joinNeighbours(text, [...parts, ...noise]))
  return parts.map(part => {
    const block = inBlocks.after(part.start)
    const isInBlock = block !== undefined && block.start < part.start
    const group = inGroups.after(part.start) ?? part
    const isInCode = isInBlock || (text[group.start - 1] === '`' && text[group.end] === '`')
    return { ...part, isInCode, isLast: part.start >= (lastWords?.end ?? 0) }
  })
}

/** Joins spans with only white space between them, such as a call and the marks around it. */
function joinNeighbours(text: string, spans: readonly TextSpan[]): TextSpan[] {
  const groups: TextSpan[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = groups.at(-1)
    const isNeighbour = last !== undefined && text.slice(last.end, span.start).trim() === ''
    if (isNeighbour) groups[groups.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    else groups.push({ start: span.start, end: span.end })
  }
  return groups
}

/** Marks that belong to no answer, whatever the tool. */
const anyCallMark =
  /<[|｜][^<>|｜\n]{0,40}(?:tool|call|func|invoke|action|plugin)[^<>|｜\n]{0,40}[|｜]?>|\[\/?(?:tool|function)_?(?:calls?|request|use)\b[^\]\n]{0,40}\]/i
/** Tags that announce a call when they contain the name of a tool. */
const callTag = String.raw`<(?:[\w.-]{1,40}:)?[\w.-]{0,40}(?:tool|func|call|invoke|action|plugin)[\w.-]{0,40}(?:[=\s][^<>\n]{0,200})?>`

/** The distance between the name of a tool and the name of a parameter in a call. */
const nearby = 300
/** The most mentions of tools that are looked at in one paragraph. */
const maxNames = 50

/**
 * Finds parts of a text that look like a call in a form that is not known: marks of calls, and the name of a tool beside
 * one of its parameters. Each paragraph or code block counts once.
 *
 * @param covered - the parts of the text that were read before
 */
function findUnknownCalls(
  text: string,
  tools: readonly CallableTool[],
  { covered, blocks }: { readonly covered: readonly TextSpan[]; readonly blocks: readonly CodeBlock[] },
): FoundPart[] {
  const looksLikeCall = createCallTest(tools)
  const readTo = createSpanWalk(covered)
  const whole = blocks.filter(({ start, end }) => (readTo.after(start)?.start ?? text.length) >= end)
  const between = listGaps(text, [...covered, ...blocks]).flatMap(gap => splitAtBlankLines(text, gap))
  return [...whole, ...between]
    .filter(({ start, end }) => looksLikeCall(text.slice(start, end)))
    .map(({ start, end }) => ({
      start,
      end,
      calls: [],
      broken: null,
      grammar: null,
      isMarked: false,
      isOpen: false,
    }))
}

function createCallTest(tools: readonly CallableTool[]): (text: string) => boolean {
  if (tools.length === 0) return text => anyCallMark.test(text)
  const names = `(?:${tools.map(({ name }) => escapePattern(name)).join('|')})`
  const keys = new Set(tools.flatMap(({ schema }) => Object.keys(readSchemaProperties(schema))))
  const key = `(?:${[...keys].map(escapePattern).join('|')})`
  const patterns = [
    anyCallMark,
    new RegExp(`<${names}\\b[^<>\\n]{0,200}>`),
    new RegExp(`^[ \\t]{0,10}Action:[ \\t]{0,10}${names}[ \\t]{0,10}\\n[ \\t]{0,10}Action Input:`, 'm'),
    new RegExp(
      `(?:^|[\`>=:]|\\bawait )[ \\t]{0,10}(?:print\\()?(?:\\w{1,40}\\.)?${names}[ \\t]{0,3}[({]`,
      'm',
    ),
    new RegExp(
      `${callTag}[^]{0,${nearby}}?\\b${names}\\b|<[^<>\\n]{0,80}(?:invoke|call|tool)[^<>\\n]{0,80}\\b${names}\\b`,
      'i',
    ),
  ]
  const parameter = new RegExp(
    `(?:[{,(<"'|]\\s{0,10}|\\s)${key}(?:["']\\s{0,5}[:=]|\\s{0,3}=|>)|[{,(]\\s{0,10}${key}\\s{0,5}:`,
  )
  const toolName = new RegExp(`\\b${names}\\b`, 'g')
  return text =>
    patterns.some(pattern => pattern.test(text)) ||
    (keys.size > 0 &&
      [...text.matchAll(toolName)]
        .slice(0, maxNames)
        .some(({ index }) => parameter.test(text.slice(Math.max(0, index - nearby), index + nearby))))
}

function splitAtBlankLines(text: string, { start, end }: TextSpan): TextSpan[] {
  const blanks = [...text.slice(start, end).matchAll(/\n[ \t]*\n/g)]
  const ends = [...blanks.map(({ index }) => start + index), end]
  return ends.map((at, index) => ({ start: index === 0 ? start : ends[index - 1]!, end: at }))
}

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
function findPlainCalls(
  reading: BodyReading,
  blocks: readonly CodeBlock[],
  covered: readonly TextSpan[],
): FoundPart[] {
  const { text, tools } = reading
  if (tools.length === 0) return []
  const readTo = createSpanWalk(covered)
  const fenced = blocks.flatMap(block => {
    const isRead = (readTo.after(block.start)?.start ?? text.length) < block.end
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

function readLines(reading: BodyReading, otherSpans: readonly TextSpan[]): FoundPart[] {
  const { text } = reading
  const foundParts: FoundPart[] = []
  const walk = createSpanWalk(otherSpans)
  lineStart.lastIndex = 0
  for (let match = lineStart.exec(text); match !== null; match = lineStart.exec(text)) {
    const start = match.index + match[0].length
    const otherSpan = walk.after(start)
    if (otherSpan !== undefined && otherSpan.start <= start) {
      lineStart.lastIndex = otherSpan.end
      continue
    }
    const end = otherSpan?.start ?? text.length
    const body = readUntil(reading, start, { end, mustBeTools: true })
    const parts = collectParts(reading, { start, end: Math.min(end, start + maxBroken) }, body)
    const partsEnd = parts.at(-1)?.end ?? start
    if (/^[ \t;,.]*(?:\r?\n|$)/.test(text.slice(partsEnd, partsEnd + 200))) foundParts.push(...parts)
    const readTo = typeof body !== 'string' && 'valueEnd' in body ? body.valueEnd : partsEnd
    lineStart.lastIndex = Math.max(readTo ?? start, match.index + 1)
  }
  return foundParts
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
function collectParts(reading: BodyReading, { start, end }: TextSpan, body: ReadBody): FoundPart[] {
  if (typeof body === 'string') return []
  if (!('calls' in body)) return collectBroken(reading, { start, end }, body)
  const grammar = findGrammar(reading.text, start)
  const part = { start, end: body.end, broken: null, grammar, isMarked: false, isOpen: false }
  const behind = { start: body.end, end: Math.max(end, body.end) }
  const broken = body.broken === undefined ? [] : collectBroken(reading, behind, body.broken)
  return [{ ...part, calls: body.calls }, ...broken]
}

function collectBroken(
  { text, tools }: BodyReading,
  { start, end }: TextSpan,
  { problem, isCut, valueEnd }: UnreadBody,
): FoundPart[] {
  if (valueEnd !== undefined) return []
  const { name } = describeBrokenCall('', text.slice(start, Math.min(end, start + 2_000)), problem)
  if (!tools.some(tool => tool.name === name)) return []
  const [paragraph = ''] = text.slice(start, end).split('\n\n', 1)
  const broken = describeBrokenCall(name, paragraph, problem)
  const grammar = findGrammar(text, start)
  const span = { start, end: start + paragraph.length }
  return [{ ...span, calls: [], broken, grammar, isMarked: false, isOpen: isCut }]
}

function findGrammar(text: string, start: number): string {
  return /^\W{0,40}(?:print\()?[\w.]{1,168}\(/.test(text.slice(start, start + 240)) ? 'python' : 'json'
}
