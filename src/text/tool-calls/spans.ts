/** A part of a text, from `start` up to but not including `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Spans in the order of their starts, asked for growing positions, so that all questions together take linear time. */
export interface SpanWalk<T extends Span> {
  /** Returns the first span that ends after a position; undefined when there is none. */
  after(position: number): T | undefined
}

/** Sorts spans for questions about growing positions. */
export function walkSpans<T extends Span>(spans: readonly T[]): SpanWalk<T> {
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
export function gapsBetween(text: string, spans: readonly Span[]): Span[] {
  const gaps: Span[] = []
  let at = 0
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start > at) gaps.push({ start: at, end: start })
    at = Math.max(at, end)
  }
  if (at < text.length) gaps.push({ start: at, end: text.length })
  return gaps
}

/** A fenced code block of Markdown. */
export interface CodeBlock extends Span {
  /** In lower case; empty when the block names none. */
  readonly language: string
  readonly contentStart: number
  readonly contentEnd: number
}

const fence = /^[ \t]{0,3}(`{3,}|~{3,})[ \t]*([^\n`]*)$/gm

/** Finds the fenced code blocks of a text. A block that is never closed ends with the text. */
export function codeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: { start: number; mark: string; language: string; contentStart: number } | null = null
  for (const match of text.matchAll(fence)) {
    const [line, mark = '', info = ''] = match
    const end = match.index + line.length
    if (open === null) {
      const language = info.trim().split(/\s/)[0]!.toLowerCase()
      open = { start: match.index, mark, language, contentStart: Math.min(text.length, end + 1) }
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      blocks.push({ ...block(open), contentEnd: match.index, end })
      open = null
    }
  }
  if (open !== null) blocks.push({ ...block(open), contentEnd: text.length, end: text.length })
  return blocks
}

function block({ start, language, contentStart }: Pick<CodeBlock, 'start' | 'language' | 'contentStart'>) {
  return { start, language, contentStart }
}
