import { findFences } from '../fences.ts'
import { type CallGrammar, callGrammars } from './grammars.ts'

/** A part of a text, from `start` up to but not including `end`. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** Spans in the order of their starts, asked for growing positions, so that all questions together take linear time. */
interface SpanWalk<T extends TextSpan> {
  /** Returns the first span that ends after a position; undefined when there is none. */
  after(position: number): T | undefined
}

/** Sorts spans for questions about growing positions. */
export function createSpanWalk<T extends TextSpan>(spans: readonly T[]): SpanWalk<T> {
  const sorted = [...spans].sort((a, b) => a.start - b.start)
  let next = 0
  return {
    after(position) {
      while (next < sorted.length && sorted[next]!.end <= position) next += 1
      return sorted[next]
    },
  }
}

/** Returns the parts of a text between spans. */
export function listGaps(text: string, spans: readonly TextSpan[]): TextSpan[] {
  const gaps: TextSpan[] = []
  let at = 0
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start > at) gaps.push({ start: at, end: start })
    at = Math.max(at, end)
  }
  if (at < text.length) gaps.push({ start: at, end: text.length })
  return gaps
}

/** A fenced code block of Markdown. */
export interface CodeBlock extends TextSpan {
  /** In lower case; empty when the block names none. */
  readonly language: string
  readonly contentStart: number
  readonly contentEnd: number
}

/** Returns the fenced code blocks of a text with the places of their contents. */
export function listCodeBlocks(text: string): CodeBlock[] {
  return findFences(text).map(({ start, end, label, closed }) => {
    const head = /^[`~]+[ \t]*/.exec(text.slice(start, start + 200))?.[0] ?? ''
    const foot = closed ? (/[`~]*$/.exec(text.slice(Math.max(start, end - 200), end))?.[0] ?? '') : ''
    const contentStart = Math.min(end, start + head.length + label.length)
    return {
      start,
      end,
      language: label.toLowerCase(),
      contentStart,
      contentEnd: Math.max(contentStart, end - foot.length),
    }
  })
}

/** A mark of a form of tool calls in a text. */
export interface CallMark extends TextSpan {
  /** The form, if the mark opens a call; null for another mark. */
  readonly grammar: CallGrammar | null
  /** The name of the tool, if the mark contains it; otherwise empty. */
  readonly name: string
}

/** Matches every mark of every form, as the source of a regular expression without groups. */
export const anyMark = callGrammars
  .flatMap(({ open, around }) => (around === undefined ? [open] : [open, around]))
  .map(source => source.replace('(?<name>', '(?:'))
  .join('|')

const marks = new RegExp(anyMark, 'gi')
const opens = callGrammars.map(grammar => ({ grammar, open: new RegExp(grammar.open, 'iy') }))

/** Returns the first mark at or after a position; null when there is none. */
export function findNextMark(text: string, position: number): CallMark | null {
  marks.lastIndex = position
  const match = marks.exec(text)
  if (match === null) return null
  const start = match.index
  for (const { grammar, open } of opens) {
    open.lastIndex = start
    const opened = open.exec(text)
    if (opened !== null)
      return { start, end: start + opened[0].length, grammar, name: opened.groups?.name ?? '' }
  }
  return { start, end: start + match[0].length, grammar: null, name: '' }
}
