import type { StoredText, TraceEvent } from '../../../logs/events.ts'
import { makeTable, type Table } from '../../core/table.ts'
import { canonicalJson, sha256 } from '../../system/hash.ts'
import { oneLine } from '../../text/plain-text.ts'

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

/** Longer descriptions of moves are cut. */
const maxLineChars = 160

function shortLine(text: string): string {
  const line = oneLine(text)
  return line.length > maxLineChars ? `${line.slice(0, maxLineChars - 1)}…` : line
}

/** Returns the comparable part of an event, without times, costs and ids. Null when the event is not compared. */
function comparedMove(event: TraceEvent, textOf: (stored: StoredText) => string): KeyedMove | null {
  const { step } = event
  const move = (kind: string, text: string, what: unknown): KeyedMove => ({
    step,
    kind,
    text: shortLine(text),
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
function commonFrom(a: readonly KeyedMove[], b: readonly KeyedMove[]): Uint32Array[] {
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
function between(a: readonly KeyedMove[], b: readonly KeyedMove[]): DiffRow[] {
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

function bare(move: KeyedMove | null): Move | null {
  return move === null ? null : { step: move.step, kind: move.kind, text: move.text }
}

function pairMoves(a: KeyedMove | null, b: KeyedMove | null): DiffRow {
  return { a: bare(a), b: bare(b), same: a !== null && a.key === b?.key }
}

function align(a: readonly KeyedMove[], b: readonly KeyedMove[]): DiffRow[] {
  const common = commonFrom(a, b)
  const rows: DiffRow[] = []
  let [i, j, fromA, fromB] = [0, 0, 0, 0]
  while (i < a.length && j < b.length) {
    if (a[i]!.key === b[j]!.key) {
      rows.push(...between(a.slice(fromA, i), b.slice(fromB, j)), pairMoves(a[i]!, b[j]!))
      i++
      j++
      ;[fromA, fromB] = [i, j]
    } else if (common[i + 1]![j]! >= common[i]![j + 1]!) i++
    else j++
  }
  return [...rows, ...between(a.slice(fromA), b.slice(fromB))]
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
    return events.flatMap(event => comparedMove(event, textOf) ?? [])
  }
  const rows = align(movesOf(a), movesOf(b))
  const first = rows.findIndex(row => !row.same)
  return { a: a.attemptId, b: b.attemptId, rows, firstDivergence: first === -1 ? null : first }
}

function markText(row: DiffRow, isFirst: boolean): string {
  const mark = row.same ? '=' : row.b === null ? '<' : row.a === null ? '>' : '≠'
  return isFirst ? `>>${mark}` : mark
}

/** Formats a diff as a table. `>>` marks the first divergence. */
export function diffTable(diff: TraceDiff): Table {
  const { rows, firstDivergence } = diff
  const first = firstDivergence === null ? undefined : rows[firstDivergence]
  const where = first === undefined ? null : `step ${first.a?.step ?? '–'} of A, ${first.b?.step ?? '–'} of B`
  return makeTable({
    title: `A ${diff.a}\nB ${diff.b}`,
    rows: rows.map((row, at) => ({ ...row, mark: markText(row, at === firstDivergence) })),
    columns: column => [
      column('step of A', 'count', ({ a }) => a?.step ?? '', { head: 'step' }),
      column('A', 'text', ({ a }) => a?.text ?? ''),
      column('', 'text', ({ mark }) => mark),
      column('step of B', 'count', ({ b }) => b?.step ?? '', { head: 'step' }),
      column('B', 'text', ({ b }) => b?.text ?? ''),
    ],
    remarks: [
      where === null ? 'Both attempts did the same.' : `First divergence (>>): ${where}.`,
      '= same, ≠ different, < only in A, > only in B. Times, costs and ids are not compared.',
    ],
  })
}
