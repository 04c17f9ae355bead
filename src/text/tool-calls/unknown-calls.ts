import { escapePattern } from '../plain-text.ts'
import type { FoundPart } from './call-part.ts'
import { type CallableTool, propertiesOf } from './call-values.ts'
import { type CodeBlock, gapsBetween, type Span, walkSpans } from './spans.ts'

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
export function findUnknownCalls(
  text: string,
  tools: readonly CallableTool[],
  { covered, blocks }: { readonly covered: readonly Span[]; readonly blocks: readonly CodeBlock[] },
): FoundPart[] {
  const looksLikeCall = callTest(tools)
  const read = walkSpans(covered)
  const whole = blocks.filter(({ start, end }) => (read.after(start)?.start ?? text.length) >= end)
  const between = gapsBetween(text, [...covered, ...blocks]).flatMap(gap => splitAtBlankLines(text, gap))
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

function callTest(tools: readonly CallableTool[]): (text: string) => boolean {
  if (tools.length === 0) return text => anyCallMark.test(text)
  const names = `(?:${tools.map(({ name }) => escapePattern(name)).join('|')})`
  const keys = new Set(tools.flatMap(({ schema }) => Object.keys(propertiesOf(schema))))
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

function splitAtBlankLines(text: string, { start, end }: Span): Span[] {
  const blanks = [...text.slice(start, end).matchAll(/\n[ \t]*\n/g)]
  const ends = [...blanks.map(({ index }) => start + index), end]
  return ends.map((at, index) => ({ start: index === 0 ? start : ends[index - 1]!, end: at }))
}
