import { parse } from 'csv-parse/sync'
import type { Answer, Discovery } from '../core/attempt.ts'
import type { CellClass, ScoredCell } from '../core/score.ts'
import { type CellEvidence, type EvidenceDocument, findCell } from './matcher.ts'
import type { Needle, TextIndexes } from './text-index.ts'

/** How far a document came before its text was in view. */
export type Reach = 'not-surfaced' | 'not-opened' | 'not-parsed' | 'not-in-view' | 'not-retrieved'

/** What the model saw of one of the task's documents. */
export interface DocumentView {
  readonly hint: string
  /** Where a value is lost that the shown texts do not hold. */
  readonly lostAt: Reach
  /** The texts of the document that were shown: whole, cut, as chunks or by pages. */
  readonly shown: readonly string[]
}

export interface LedgerInput {
  readonly cells: readonly ScoredCell[]
  /** Of the same gold table. */
  readonly evidence: readonly CellEvidence[]
  /** The task's documents as whole texts, unreadable ones as ''; null: they are not at hand. */
  readonly documents: readonly EvidenceDocument[] | null
  readonly views: readonly DocumentView[]
  /** The setting shows no document: what is not right was wrong or left out. Absent: it shows documents. */
  readonly isFromMemory?: boolean
  readonly answer: { readonly csv: string | null; readonly parseStatus: Answer['parseStatus'] }
  /** Why the attempt ended. */
  readonly cause: string
  readonly indexes: TextIndexes
}

/** With the documents at hand, and the answer's cells read once for all. */
interface KnownInput extends LedgerInput {
  readonly documents: readonly EvidenceDocument[]
  readonly answerText: () => string
}

const stages: readonly Reach[] = ['not-surfaced', 'not-opened', 'not-parsed', 'not-retrieved', 'not-in-view']
const inView = stages.length

/** Offline: the model saw of each document what the cut left. */
export function offlineViews(shown: readonly EvidenceDocument[]): DocumentView[] {
  return shown.map(({ hint, text }) => ({ hint, lostAt: 'not-in-view', shown: [text] }))
}

/** RAG: the model saw of each document the chunks in its prompt; neighbours stand together as they did there. */
export function ragViews(hints: readonly string[], chunks: readonly EvidenceDocument[]): DocumentView[] {
  return hints.map(hint => ({
    hint,
    lostAt: 'not-retrieved',
    shown: chunks.filter(chunk => chunk.hint === hint).map(chunk => chunk.text),
  }))
}

/** Online: how far discovery came with each document, and the tool answers that showed it. */
export function onlineViews(discovery: Discovery, shown: readonly EvidenceDocument[]): DocumentView[] {
  return discovery.hints.map(record => {
    const { hint, surfacedStep, openedStep, parsedStep, triedStep = null } = record
    const texts = shown.filter(one => one.hint === hint).map(one => one.text)
    if (parsedStep !== null) return { hint, lostAt: 'not-in-view', shown: texts }
    if (openedStep !== null) return { hint, lostAt: 'not-parsed', shown: texts }
    const wasFound = surfacedStep !== null || triedStep !== null
    return { hint, lostAt: wasFound ? 'not-opened' : 'not-surfaced', shown: [] }
  })
}

/** How far a part of the evidence came in the document that brought it furthest; -1 where none holds it. */
function stageOf(needle: Needle, cell: CellEvidence, input: KnownInput): number {
  const { documents, views, indexes } = input
  let furthest = -1
  for (const document of documents) {
    if (cell.hint !== null && document.hint !== cell.hint) continue
    if (!indexes(document.text).has(needle)) continue
    const view = views.find(one => one.hint === document.hint)
    const seen = view?.shown.some(text => indexes(text).has(needle)) === true
    const stage = seen ? inView : stages.indexOf(view?.lostAt ?? 'not-surfaced')
    furthest = Math.max(furthest, stage)
  }
  return furthest
}

/** The stage at which the cell's evidence was lost, null where all of it was in view: the way that came furthest counts. */
function lostStage(cell: CellEvidence, input: KnownInput): Reach | null {
  const ways = cell.alternatives
    .map(needles => Math.min(...needles.map(needle => stageOf(needle, cell, input))))
    .filter(stage => stage >= 0)
  return stages[Math.max(...ways)] ?? null
}

function isBlank(predicted: string | null): boolean {
  return (
    predicted === null || predicted.trim() === '' || /^(?:null|none|n\/?a|nan|-)$/i.test(predicted.trim())
  )
}

/** The answer's cells, a line each, so that no comma between two of them reads as a thousands separator. */
function cellsOf(csv: string): string {
  const rows: string[][] = parse(csv, { relax_column_count: true, relax_quotes: true })
  return rows.flat().join('\n')
}

/** Seen and yet not right: wrong where the answer gives something, not-in-answer where it gives nothing. */
function lostInAnswer(cell: ScoredCell, evidence: CellEvidence, input: KnownInput): CellClass {
  if (!isBlank(cell.predicted)) return 'wrong'
  if (cell.predicted !== null || input.answer.csv === null) return 'not-in-answer'
  const answer = [{ hint: evidence.hint ?? '', text: input.answerText() }]
  return findCell(evidence, answer, input.indexes) ? 'wrong' : 'not-in-answer'
}

/** Closed-book: no stage before the answer can lose a value, with or without evidence for it. */
function lostWithoutDocuments(
  cell: ScoredCell,
  evidence: CellEvidence | undefined,
  input: KnownInput,
): CellClass {
  if (evidence !== undefined) return lostInAnswer(cell, evidence, input)
  return isBlank(cell.predicted) ? 'not-in-answer' : 'wrong'
}

function classOf(
  cell: ScoredCell,
  evidence: CellEvidence | undefined,
  input: LedgerInput,
  known: KnownInput | null,
): CellClass | null {
  if (cell.score === null) return null
  if (cell.score >= 1) return 'correct'
  if (cell.score > 0) return 'wrong'
  if (input.answer.parseStatus === 'none' && input.cause === 'budget') return 'budget'
  if (input.answer.parseStatus !== 'table') return 'unreadable'
  if (known === null) return null
  if (input.isFromMemory === true) return lostWithoutDocuments(cell, evidence, known)
  if (evidence === undefined || !findCell(evidence, known.documents, known.indexes)) return 'no-evidence'
  return lostStage(evidence, known) ?? lostInAnswer(cell, evidence, known)
}

/**
 * The class of every cell, in the cells' order: CONTRACT, Loss ledger. A cell with partial credit is `wrong` for what it
 * lacks. Null where a judge failed on the cell, and where it takes the documents to tell and they are not at hand.
 */
export function classifyCells(input: LedgerInput): (CellClass | null)[] {
  const evidence = new Map(input.evidence.map(cell => [JSON.stringify([cell.goldRow, cell.column]), cell]))
  const { documents } = input
  let text: string | null = null
  const answerText = (): string => (text ??= cellsOf(input.answer.csv ?? ''))
  const known = documents === null ? null : { ...input, documents, answerText }
  return input.cells.map(cell =>
    classOf(cell, evidence.get(JSON.stringify([cell.goldRow, cell.column])), input, known),
  )
}
