import type { StoredText } from '../../../logs/event-parts.ts'
import type { TraceEvent } from '../../../logs/events.ts'
import { canonicalJson, sha256 } from '../../system/hash.ts'
import { joinToOneLine, withoutControlCharacters } from '../../text/plain-text.ts'
import { displayWidth, fitWidth, padWidth, wrapLine } from '../tables/display-width.ts'

/** One comparable action or observation of an attempt. */
export interface Move {
  readonly step: number
  /** Only moves of the same kind are shown side by side. */
  readonly kind: string
  /** A description in one line. */
  readonly text: string
}

/** Moves of two attempts side by side. A side is null when the attempt has no corresponding move. */
interface DiffRow {
  readonly a: Move | null
  readonly b: Move | null
  readonly same: boolean
}

/** The comparison of two traces, as `logs diff A B --json` prints it. */
interface TraceDiff {
  readonly a: string
  readonly b: string
  readonly rows: readonly DiffRow[]
  /** The index of the first row that differs. Null when no row differs. */
  readonly firstDivergence: number | null
}

interface KeyedMove extends Move {
  readonly key: string
}

/** Returns the comparable part of an event, without times, costs and ids. Null when the event is not compared. */
function readMove(event: TraceEvent, textOf: (stored: StoredText) => string): KeyedMove | null {
  const { step } = event
  const move = (kind: string, text: string, what: unknown): KeyedMove => ({
    step,
    kind,
    text: joinToOneLine(text),
    key: `${kind} ${sha256(canonicalJson(what))}`,
  })
  switch (event.type) {
    case 'model-answered': {
      if (event.toolCalls.length > 0) return null
      const text = textOf(event.text)
      return move('answer', `answers: ${text}`, text)
    }
    case 'tool-called':
      return move('call', `${event.tool} ${JSON.stringify(event.args) ?? ''}`, [event.tool, event.args])
    case 'tool-answered': {
      const text = textOf(event.text)
      return move('shown', `${event.tool} shows: ${text}`, [event.tool, text])
    }
    case 'tool-failed':
      return move('shown', `${event.tool} fails: ${event.errorClass}: ${event.message}`, [
        event.tool,
        event.errorClass,
        event.message,
      ])
    case 'budget-refused':
      return move('refused', `refused: ${event.what} (${event.kind})`, [event.kind, event.what])
    case 'context-cut':
      return move('cut', `context cut: ${event.strategy}`, [
        event.strategy,
        event.documents,
        event.removed?.map(({ tool, url, keptChars }) => [tool, url, keptChars]),
      ])
    case 'terminated': {
      const { cause, reason } = event.termination
      return move('end', `ends: ${cause} / ${reason}`, [cause, reason])
    }
    default:
      return null
  }
}

/** Computes for each pair of positions how many moves from there on match in the best alignment. */
function tabulateCommon(a: readonly KeyedMove[], b: readonly KeyedMove[]): Uint32Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    const [row, below] = [rows[i]!, rows[i + 1]!]
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i]!.key === b[j]!.key ? below[j + 1]! + 1 : Math.max(below[j]!, row[j + 1]!)
    }
  }
  return rows
}

/** Pairs the moves between two equal moves: moves of the same kind side by side, in order, the rest alone. */
function compareBetween(a: readonly KeyedMove[], b: readonly KeyedMove[]): DiffRow[] {
  const rows: DiffRow[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && right !== undefined && left.kind === right.kind) {
      rows.push(pairMoves(left, right))
      i++
      j++
    } else if (
      left !== undefined &&
      (right === undefined || !b.slice(j).some(move => move.kind === left.kind))
    ) {
      rows.push(pairMoves(left, null))
      i++
    } else {
      rows.push(pairMoves(null, right ?? null))
      j++
    }
  }
  return rows
}

function stripMove(move: KeyedMove | null): Move | null {
  return move === null ? null : { step: move.step, kind: move.kind, text: move.text }
}

function pairMoves(a: KeyedMove | null, b: KeyedMove | null): DiffRow {
  return { a: stripMove(a), b: stripMove(b), same: a !== null && a.key === b?.key }
}

function align(a: readonly KeyedMove[], b: readonly KeyedMove[]): DiffRow[] {
  const common = tabulateCommon(a, b)
  const rows: DiffRow[] = []
  let [i, j, fromA, fromB] = [0, 0, 0, 0]
  while (i < a.length && j < b.length) {
    if (a[i]!.key === b[j]!.key) {
      rows.push(...compareBetween(a.slice(fromA, i), b.slice(fromB, j)), pairMoves(a[i]!, b[j]!))
      i++
      j++
      ;[fromA, fromB] = [i, j]
    } else if (common[i + 1]![j]! >= common[i]![j + 1]!) i++
    else j++
  }
  return [...rows, ...compareBetween(a.slice(fromA), b.slice(fromB))]
}

/** A trace to compare, with the texts that its events refer to. */
interface DiffedTrace {
  readonly attemptId: string
  readonly events: readonly TraceEvent[]
  readonly blob: (hash: string) => string | null
}

/** Compares two traces: aligns equal moves and shows the moves between them side by side. */
export function diffTraces(a: DiffedTrace, b: DiffedTrace): TraceDiff {
  const movesOf = ({ events, blob }: DiffedTrace): KeyedMove[] => {
    const textOf = (stored: StoredText): string =>
      'text' in stored ? stored.text : (blob(stored.blob) ?? `(text ${stored.blob} is missing)`)
    return events.flatMap(event => readMove(event, textOf) ?? [])
  }
  const rows = align(movesOf(a), movesOf(b))
  const first = rows.findIndex(row => !row.same)
  return { a: a.attemptId, b: b.attemptId, rows, firstDivergence: first === -1 ? null : first }
}

function markText(row: DiffRow, isFirst: boolean): string {
  const mark = row.same ? '=' : row.b === null ? '<' : row.a === null ? '>' : '≠'
  return isFirst ? `>>${mark}` : mark
}

/** Lines of a cell that are shown unless all are asked for. */
const cellLines = 3
const narrowest = 60
/** Equal characters that are shown before the first difference of two long texts. */
const sharedChars = 20

/** How a diff is written. */
interface DiffLayout {
  /** The width of the terminal; narrower ones than 60 columns count as 60. */
  readonly columns: number
  /** Write texts as a whole, instead of three lines of each. */
  readonly full: boolean
}

/** Writes a diff as two columns side by side that fit the terminal. `>>` marks the first divergence. */
export function diffText(diff: TraceDiff, { columns, full }: DiffLayout): string {
  const { rows, firstDivergence } = diff
  const width = Math.max(narrowest, columns)
  const steps = rows.flatMap(({ a, b }) => [a, b]).map(move => String(move?.step ?? '').length)
  const stepWidth = Math.max(1, ...steps)
  // Two steps with a space, and the mark between spaces.
  const cellWidth = Math.floor((width - 2 * (stepWidth + 1) - 5) / 2)
  const line = (cells: readonly [string, string, string, string, string]): string => {
    const [stepA, a, mark, stepB, b] = cells
    const left = `${padWidth(stepA, stepWidth, 'right')} ${padWidth(a, cellWidth, 'left')}`
    return `${left} ${padWidth(mark, 3, 'right')} ${padWidth(stepB, stepWidth, 'right')} ${b}`.trimEnd()
  }
  const rule = '─'.repeat(width)
  const body = rows.flatMap((row, at) => {
    const [a, b] = diffCells(row, cellWidth, full)
    const mark = markText(row, at === firstDivergence)
    return Array.from({ length: Math.max(a.length, b.length) }, (_, index) =>
      index === 0
        ? line([String(row.a?.step ?? ''), a[0] ?? '', mark, String(row.b?.step ?? ''), b[0] ?? ''])
        : line(['', a[index] ?? '', '', '', b[index] ?? '']),
    )
  })
  const first = firstDivergence === null ? undefined : rows[firstDivergence]
  const remarks = [
    first === undefined
      ? 'Both attempts did the same.'
      : `First divergence (>>): step ${first.a?.step ?? '–'} of A, ${first.b?.step ?? '–'} of B.`,
    '= same, ≠ different, < only in A, > only in B. Times, costs and ids are not compared.',
    ...(full ? [] : ['Long texts are cut. --full prints them as a whole.']),
  ]
  return withoutControlCharacters(
    [
      ...[`A ${diff.a}`, `B ${diff.b}`].flatMap(text => wrapCell(text, width)),
      rule,
      ...body,
      rule,
      ...remarks.flatMap(text => wrapCell(text, width)),
      '',
    ].join('\n'),
  )
}

/** Returns the lines of both cells of a row. Cut texts that differ begin shortly before their first difference. */
function diffCells({ a, b, same }: DiffRow, width: number, full: boolean): [string[], string[]] {
  const texts = [a?.text ?? '', b?.text ?? ''] as const
  if (full) return [wrapCell(texts[0], width), wrapCell(texts[1], width)]
  const shared = same || a === null || b === null ? 0 : countShared(...texts)
  const from = shared > width * (cellLines - 1) ? shared - sharedChars : 0
  const cut = (text: string): string[] => {
    // A longer text is cut in any case, and wrapping it as a whole takes long.
    const excerpt = (from === 0 ? '' : '…') + text.slice(from, from + width * (cellLines + 1))
    const lines = wrapCell(excerpt, width)
    if (lines.length <= cellLines) return lines
    return [
      ...lines.slice(0, cellLines - 1),
      `${fitWidth(lines[cellLines - 1]!, width - 1).replace(/…$/, '')}…`,
    ]
  }
  return [cut(texts[0]), cut(texts[1])]
}

/** Counts the characters with which two texts begin alike. */
function countShared(a: string, b: string): number {
  let count = 0
  while (count < Math.min(a.length, b.length) && a[count] === b[count]) count += 1
  return count
}

/** Wraps a text into lines of at most this many columns, also within long words such as addresses. */
function wrapCell(text: string, columns: number): string[] {
  const words = text.split(' ').flatMap(word => breakWord(word, columns))
  return wrapLine(words.join(' '), columns)
}

function breakWord(word: string, columns: number): string[] {
  if (displayWidth(word) <= columns) return [word]
  const pieces = ['']
  for (const character of word) {
    if (displayWidth(pieces.at(-1)! + character) > columns) pieces.push(character)
    else pieces[pieces.length - 1] += character
  }
  return pieces
}
