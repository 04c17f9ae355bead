import { isObject } from '../json.ts'
import { readLiteral, readPythonArguments } from '../literal.ts'
import {
  type CallableTool,
  type NamedCall,
  nameArguments,
  readCallArguments,
  readCallsInValue,
  readSchemaProperties,
  resolveToolName,
  typeParameter,
} from './call-values.ts'
import { parameterMarks } from './grammars.ts'
import { anyMark } from './spans.ts'

/** The calls in the body of a mark. */
interface ReadCalls {
  readonly calls: readonly NamedCall[]
  readonly end: number
  /** Whether the text ended within the last call. */
  readonly isOpen: boolean
  /** A further call after `end` that could not be read. Absent when there is none. */
  readonly broken?: UnreadBody
}

/** The calls in the body of a mark, or why there are none. */
export type ReadBody = ReadCalls | UnreadBody | 'not-a-call'

/** Why the body of a mark contains no call. */
export interface UnreadBody {
  readonly problem: string
  /** Whether the text ended within the call. */
  readonly isCut: boolean
  /** The end of a value that is whole but no call; absent when no whole value was read. */
  readonly valueEnd?: number
}

/** What reading the calls of one text needs. */
export interface BodyReading {
  readonly text: string
  readonly tools: readonly CallableTool[]
  /** The characters that failed readings may still take, so that the time stays in proportion to the length. */
  spare: number
}

const markHere = new RegExp(anyMark, 'iy')
const beforeValue = /(?:[\s;,]+|```[a-z_]*)*/y
const afterValue = /\s*```/y
const pythonName = /(?:print\(\s*)?([A-Za-z_][\w.]{0,127})\s*\(/y
const assignment = /[A-Za-z_]\w{0,63}\s*=\s*(?=[A-Za-z_])/y
const gemmaName = /call:\s*([\w./-]{1,128})\s*(?=\{)/y
const nameBeforeObject = /([\w./-]{1,128})\s*(?=\{)/y

/** Matches at one position only. Returns the match, or null. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function skip(pattern: RegExp, text: string, at: number): number {
  return at + (matchAt(pattern, text, at)?.[0].length ?? 0)
}

/**
 * Reads calls that follow each other: objects with a name and arguments, lists of these, and calls in Python's syntax.
 *
 * @param mustBeTools - whether only calls of the tools count
 */
export function readCallList(reading: BodyReading, start: number, mustBeTools: boolean): ReadBody {
  const { text } = reading
  const calls: NamedCall[] = []
  let end = start
  for (;;) {
    const at = skip(beforeValue, text, end)
    const next = readOne(reading, at, mustBeTools)
    if (typeof next === 'string' || 'problem' in next) {
      if (calls.length === 0) return next
      const isBroken = typeof next !== 'string' && next.valueEnd === undefined
      return { calls, end, isOpen: false, ...(isBroken && { broken: next }) }
    }
    calls.push(...next.calls)
    end = skip(afterValue, text, next.end)
  }
}

function readOne(reading: BodyReading, at: number, mustBeTools: boolean): ReadBody {
  const { text, tools } = reading
  const first = text[at]
  if (first === '[' && matchAt(pythonName, text, skip(beforeValue, text, at + 1)) !== null)
    return readPythonList(reading, at, mustBeTools)
  if (first === '{' || first === '[') {
    const literal = readValue(reading, at)
    if ('problem' in literal) return literal
    const calls = readCallsInValue(literal.value, tools, mustBeTools)
    if (calls !== null) return { calls, end: literal.end, isOpen: false }
    const problem = isObject(literal.value) ? 'it does not name a tool' : 'not a JSON object'
    return { problem, isCut: false, valueEnd: literal.end }
  }
  const python = readPythonCall(reading, at, mustBeTools)
  if (python !== 'not-a-call') return python
  const named = matchAt(gemmaName, text, at) ?? matchAt(nameBeforeObject, text, at)
  if (named === null) return 'not-a-call'
  const name = resolveToolName(named[1]!, tools)
  if (!tools.some(tool => tool.name === name)) return 'not-a-call'
  return readArguments(reading, at + named[0].length, name)
}

/** Reads the object with the arguments of a call whose name was read before. */
export function readArguments(reading: BodyReading, start: number, name: string): ReadBody {
  const { text } = reading
  const at = skip(beforeValue, text, start)
  if (text[at] !== '{' && text[at] !== '"') {
    const isEmpty = at === text.length || matchAt(markHere, text, at) !== null
    return isEmpty ? { calls: [{ name, args: {} }], end: start, isOpen: at === text.length } : 'not-a-call'
  }
  const literal = readValue(reading, at)
  if ('problem' in literal) return literal
  const args = readCallArguments(literal.value)
  return { calls: [{ name, args }], end: skip(afterValue, text, literal.end), isOpen: false }
}

function readValue(reading: BodyReading, at: number): ReturnType<typeof readLiteral> {
  if (reading.spare <= 0) return { problem: 'the text contains too many broken calls', at, isCut: false }
  const literal = readLiteral(reading.text, at)
  if ('problem' in literal) reading.spare -= literal.at - at
  return literal
}

function readPythonList(reading: BodyReading, start: number, mustBeTools: boolean): ReadBody {
  const { text } = reading
  const calls: NamedCall[] = []
  let at = start + 1
  for (;;) {
    at = skip(beforeValue, text, at)
    if (text[at] === ']' && calls.length > 0) return { calls, end: at + 1, isOpen: false }
    const next = readPythonCall(reading, at, mustBeTools)
    if (typeof next === 'string') {
      const isCut = at === text.length
      return isCut ? { problem: "']' is expected, but the text ends", isCut } : next
    }
    if ('problem' in next) return next
    calls.push(...next.calls)
    at = next.end
  }
}

/** Reads `name(key=value)`, also inside `print(…)` and with the name of a variable before it. */
function readPythonCall(reading: BodyReading, start: number, mustBeTools: boolean): ReadBody {
  const { text, tools } = reading
  const from = skip(assignment, text, start)
  const match = matchAt(pythonName, text, from)
  if (match === null || reading.spare <= 0) return 'not-a-call'
  const name = resolveToolName(match[1]!, tools)
  const tool = tools.find(candidate => candidate.name === name)
  if (tool === undefined && mustBeTools) return 'not-a-call'
  const args = readPythonArguments(text, from + match[0].length)
  if ('problem' in args) {
    reading.spare -= args.at - from
    return args
  }
  const isPrinted = match[0].startsWith('print(')
  const end = isPrinted ? skip(/\s*\)/y, text, args.end) : args.end
  return { calls: [{ name, args: nameArguments(args.value, tool) }], end, isOpen: false }
}

const parameterOrMark = new RegExp(
  [...parameterMarks.map(({ open }, at) => open.replace('<key>', `<key${at}>`)), anyMark].join('|'),
  'gi',
)
const parameterCloses = parameterMarks.map(({ close }) => new RegExp(close, 'gi'))
/** Matches a mark that closes one parameter, and not a mark after it. */
const ownClose = /^<(?:\/|\|close).*(?:arg_value|parameter|argument)/

/** Reads the tags of a call's parameters, or one object with its arguments. */
export function readParameters(reading: BodyReading, start: number, name: string): ReadBody {
  const { text, tools } = reading
  if (text[skip(beforeValue, text, start)] === '{') return readArguments(reading, start, name)
  const schemas = readSchemaProperties(tools.find(tool => tool.name === name)?.schema)
  const entries: [string, unknown][] = []
  const callUntil = (end: number, isOpen: boolean): ReadBody => ({
    calls: [{ name, args: Object.fromEntries(entries) }],
    end,
    isOpen,
  })
  for (let at = start; ; ) {
    parameterOrMark.lastIndex = at
    const open = parameterOrMark.exec(text)
    const which = parameterMarks.findIndex((_, index) => open?.groups?.[`key${index}`] !== undefined)
    if (open === null || which < 0) {
      const between = text.slice(at, open?.index)
      if (entries.length === 0 && between.trim() !== '') return 'not-a-call'
      return callUntil(open?.index ?? at, open === null)
    }
    const valueStart = open.index + open[0].length
    const closes = parameterCloses[which]!
    closes.lastIndex = valueStart
    const close = closes.exec(text)
    const key = open.groups![`key${which}`]!
    const isString = open.groups!.string === undefined ? undefined : open.groups!.string === 'true'
    entries.push([key, typeParameter(text.slice(valueStart, close?.index), schemas[key], isString)])
    if (close === null) return callUntil(text.length, true)
    at = close.index + (ownClose.test(close[0]) ? close[0].length : 0)
  }
}
