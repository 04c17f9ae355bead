import { type CallGrammar, callGrammars } from './grammars.ts'
import type { Span } from './spans.ts'

/** A mark of a form of tool calls in a text. */
export interface Mark extends Span {
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
export function nextMark(text: string, position: number): Mark | null {
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
