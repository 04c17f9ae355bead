import { findFences } from './fences.ts'
import { escapePattern } from './plain-text.ts'

/**
 * Names of the marks around reasoning, as models write them in brackets: DeepSeek, Qwen and most others (`think`), Claude's
 * prompts (`thinking`), EXAONE (`thought`), Seed (`seed:think`), LongCat (`longcat_think`), Kimi (`◁think▷`), Magistral
 * (`[THINK]`), Command A (`<|START_THINKING|>`), Sky-T1 (`<|begin_of_thought|>`).
 */
const names = [
  'think',
  'thinking',
  'thoughts?',
  'thought[_-]process',
  'think(?:ing)?[_-](?:steps?|process)',
  'reason',
  'reasoning',
  '(?:internal|inner)[_-](?:reasoning|monologue|thoughts|thinking)',
  'reasoning[_-]steps?',
  'reasoning_content',
  'scratch[_-]?pad',
  'chain[_-]of[_-]thought',
  'cot',
  'deliberation',
  'analysis',
  '思考(?:过程|過程)?',
  'reflection',
  'rationale',
].join('|')

const namedMark = `[<\\[◁⟨【]\\s?[|｜]?(?<slash>/)?(?<edge>begin[_▁]of[_▁]|start_of_|end[_▁]of[_▁]|start_|end_)?(?:[a-z]{1,16}[:_]|ant(?=thinking))?(?<name>${names})(?<tail>_(?:start|begin|end))?(?:\\s[^<>\\[\\]\\n]{0,80})?[|｜]?\\s?[>\\]▷⟩】]`

/**
 * Marks that are no brackets around a name, each with its end: Gemma 4, MedGemma, Gemini, Apertus, Open WebUI, Granite 3. Answers may
 * contain the ends of the last two, and the beginning of the last, as words of their own: these count only as a pair.
 */
const literalMarks = [
  ['<|channel>thought', '<channel|>'],
  ['<unused94>thought', '<unused95>'],
  ['<ctrl94>thought', '<ctrl95>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<details type="reasoning"', '</details>'],
  ['Here is my thought process:', 'Here is my response:'],
] as const
const pairedEnds: readonly string[] = ['literal 4', 'literal 5', 'analysis', 'reason', 'cot']
const pairedBeginnings: readonly string[] = ['literal 5', 'analysis', 'reason', 'cot']

const literalPattern = literalMarks.flat().map(escapePattern).join('|')
const markPattern = new RegExp(`${namedMark}|(?<literal>${literalPattern})`, 'gi')

/** Marks around the answer that follows the reasoning. They are removed, and what they hold is kept. */
/** Between the reasoning and the answer of Solar Open, whose reasoning begins with `<|think|>`. */
const solarTurn = /<\|end\|>\s*<\|begin\|>assistant\s*<\|content\|>/g
const answerMarks =
  /^\s*<\|(?:START_RESPONSE|begin_of_solution|end_of_thought)\|>|<\|(?:END_RESPONSE|end_of_solution)\|>\s*$/gi

interface ThinkingMark {
  readonly kind: string
  readonly opens: boolean
  readonly start: number
  readonly end: number
}

/**
 * Separates reasoning from a text, in the forms that models in use write: between marks such as `<think>`, `[THINK]` or
 * `◁think▷`, and in the channels of gpt-oss. After a mark that is never closed, everything is reasoning (the answer was
 * cut). Before a mark that was never opened, everything is reasoning (the chat template opened it), unless nothing
 * follows. Marks in cells, in code and in quotes are part of the text. Takes time in proportion to the length.
 */
export function splitThinking(text: string): { text: string; thought: string } {
  const channels = splitChannels(text.replace(solarTurn, '<|/think|>'))
  const marks = readMarks(channels.text)
  if (marks.length === 0 && channels.thought === '') return { text, thought: '' }
  const rest = removeThoughts(channels.text, marks)
  const thoughts = [channels.thought, ...rest.thoughts].map(thought => thought.trim())
  return {
    text: rest.text.replace(answerMarks, '').trim(),
    thought: thoughts.filter(thought => thought !== '').join('\n\n'),
  }
}

function removeThoughts(text: string, marks: readonly ThinkingMark[]): { text: string; thoughts: string[] } {
  const thoughts: string[] = []
  let answer = ''
  let at = 0
  let open: ThinkingMark | null = null
  for (const mark of marks) {
    if (mark.opens) {
      if (open === null) answer += text.slice(at, mark.start)
      open ??= mark
      continue
    }
    if (open === null) answer += text.slice(at, mark.start)
    if (open !== null && open.kind !== mark.kind) continue
    if (open !== null) thoughts.push(text.slice(open.end, mark.start))
    else if (answer.trim() !== '' && text.slice(mark.end).trim() !== '') {
      thoughts.push(answer)
      answer = ''
    }
    at = mark.end
    // A block that ends before reasoning and one that begins after it stay apart.
    if (open !== null && answer.endsWith('`')) answer += '\n'
    open = null
  }
  if (open === null) answer += text.slice(at)
  else thoughts.push(text.slice(open.end))
  return { text: answer, thoughts }
}

/** Reads the marks that stand for reasoning, and not those that are values. */
function readMarks(text: string): ThinkingMark[] {
  const marks = [...text.matchAll(markPattern)].map(readMark).filter(mark => !isQuoted(text, mark))
  if (marks.length === 0) return []
  const first = marks[0]!
  // What a draft leaves open inside reasoning says nothing about the answer: only blocks before it count.
  const isReasoningFirst = first.opens && text.slice(0, first.start).trim() === ''
  const fences = isReasoningFirst ? [] : findFences(text).filter(({ closed }) => closed)
  let fence = 0
  const outside = marks.filter(mark => {
    while (fence < fences.length && fences[fence]!.end <= mark.start) fence += 1
    const isInFence = fences[fence] !== undefined && fences[fence]!.start < mark.start
    return !isInFence || (standsAlone(text, mark) && !mark.opens)
  })
  return removeUnpaired(text, outside)
}

/** Removes marks without their pair where they are words: within a sentence, or in forms that answers use as well. */
function removeUnpaired(text: string, marks: readonly ThinkingMark[]): ThinkingMark[] {
  const opened = new Set<string>()
  const closing = marks.filter(({ kind, opens, start, end }) => {
    if (opens) opened.add(kind)
    const isWord =
      pairedEnds.includes(kind) ||
      (isWithinSentence(text, start) && /^ \p{Ll}/u.test(text.slice(end, end + 2)))
    return opens || opened.has(kind) || !isWord
  })
  const closed = new Set<string>()
  return closing
    .reverse()
    .filter(({ kind, opens, start }) => {
      if (!opens) closed.add(kind)
      const isWord = pairedBeginnings.includes(kind) || isWithinSentence(text, start)
      return !opens || closed.has(kind) || !isWord
    })
    .reverse()
}

function readMark(match: RegExpExecArray): ThinkingMark {
  const { slash, edge, name, tail, literal } = match.groups!
  const range = { start: match.index, end: match.index + match[0].length }
  if (literal !== undefined) {
    const form = literalMarks.findIndex(pair =>
      pair.some(part => part.toLowerCase() === literal.toLowerCase()),
    )
    const opens = literalMarks[form]![0].toLowerCase() === literal.toLowerCase()
    return { kind: `literal ${form}`, opens, ...range }
  }
  const isEnd = [edge, tail?.slice(1)].some(part => part?.toLowerCase().startsWith('end') === true)
  const opens = slash === undefined && !isEnd
  return { kind: /^(?:think|thought)/i.test(name!) ? 'think' : name!.toLowerCase(), opens, ...range }
}

const quote = /["'“”‘’]/
const delimiter = /[,;|\t]/
const lineEdge = /^[\r\n]?$/

/** Returns whether a mark stands between quotes, signs of code or the delimiters of a cell. */
function isQuoted(text: string, { start, end }: ThinkingMark): boolean {
  const before = text[start - 1] ?? ''
  const after = text[end] ?? ''
  if (before === '`' && after === '`')
    return !text.startsWith('```', end) && text.slice(Math.max(0, start - 3), start) !== '```'
  if (quote.test(before)) return quote.test(after) || delimiter.test(after) || lineEdge.test(after)
  if (delimiter.test(before)) return quote.test(after) || delimiter.test(after) || lineEdge.test(after)
  return delimiter.test(after) && lineEdge.test(before)
}

const longestIndent = 40

function startsLine(text: string, position: number): boolean {
  const before = text.slice(Math.max(0, position - longestIndent), position)
  return /(?:^|[\r\n>\]])[ \t]*$/.test(before)
}

/** Returns whether a position follows a word and a space: a mark there that nothing closes is spoken of, not used. */
function isWithinSentence(text: string, position: number): boolean {
  return /[\p{L}\p{N},] $/u.test(text.slice(Math.max(0, position - 3), position))
}

function standsAlone(text: string, { start, end }: ThinkingMark): boolean {
  return startsLine(text, start) && /^[ \t]*(?:[\r\n]|$)/.test(text.slice(end, end + longestIndent))
}

const channelToken = /<\|(?:start|channel|message|end|return|call|constrain)\|>/
const segmentStart =
  /(?:<\|start\|>\s*(?:assistant)?\s*(?<recipient>to=[^<\n]{0,200})?)?(?:<\|channel\|>|(?<=^\s*|<\|start\|>assistant))\s*(?<channel>analysis|commentary|final)\b(?<head>[^<\n]{0,200}(?:<\|constrain\|>[^<\n]{0,40})?)<\|message\|>/g
const segmentEnd = /<\|(?:end|return|call|start|channel)\|>/g
/** The same channels after a server has removed the tokens, with the names run into the words. */
const bareChannels =
  /^\s*analysis(?=[^\s,;|\t])([\s\S]*?)(?:assistant\s*final(?![a-z])|(?=assistant\s*commentary to=)|$)/

/**
 * Separates the channels of gpt-oss (harmony): `final` is text; `analysis` and `commentary` are reasoning; a call
 * (`to=functions.NAME`) stays as it is, for the reader of calls.
 */
function splitChannels(text: string): { text: string; thought: string } {
  if (!channelToken.test(text)) return splitBareChannels(text)
  const thoughts: string[] = []
  let answer = ''
  let at = 0
  for (const match of text.matchAll(segmentStart)) {
    if (match.index < at) continue
    answer += text.slice(at, match.index).replace(/<\|(?:end|return|start)\|>(?:assistant)?/g, '')
    segmentEnd.lastIndex = match.index + match[0].length
    const ending = segmentEnd.exec(text)
    const bodyEnd = ending?.index ?? text.length
    const body = text.slice(match.index + match[0].length, bodyEnd)
    const [token = ''] = ending ?? []
    const isNext = token === '<|start|>' || token === '<|channel|>'
    at = isNext ? bodyEnd : bodyEnd + token.length
    const { channel, head, recipient } = match.groups!
    if (recipient !== undefined || head!.includes('to=')) answer += text.slice(match.index, at)
    else if (channel === 'final') answer += body
    else thoughts.push(body)
  }
  answer += text.slice(at).replace(/<\|(?:end|return)\|>\s*$/, '')
  return { text: answer, thought: thoughts.map(thought => thought.trim()).join('\n\n') }
}

function splitBareChannels(text: string): { text: string; thought: string } {
  const match = bareChannels.exec(text)
  if (match === null) return { text, thought: '' }
  const isClosed = match[0].length < text.length || /final$/.test(match[0])
  // Without the final channel, only a sentence right after the name is reasoning that was cut, and not a column's name.
  if (!isClosed && !/^[A-Z][a-z']* \S/.test(match[1]!)) return { text, thought: '' }
  return { text: text.slice(match[0].length), thought: match[1]! }
}
