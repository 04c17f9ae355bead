import { withLawOfEach } from '../core/law-articles.ts'
import type { GoldRow, GoldValue, TableGold } from '../core/task.ts'
import { dateForms, readDate } from './dates.ts'
import { derivationOf } from './derived-values.ts'
import { sameDocumentName } from './document-name.ts'
import { quarterWrittenForms } from './fiscal-period.ts'
import { foldText } from './fold.ts'
import { goldNumber } from './gold-number.ts'
import type { Needle, TextIndexes } from './text-index.ts'

export interface EvidenceDocument {
  readonly hint: string
  readonly text: string
}

/** What evidence of one gold cell is: any of the alternatives, each with all its needles. */
export interface CellEvidence {
  /** 0-based row of the gold table. */
  readonly goldRow: number
  readonly column: string
  /** The only document that counts, where a key of the row names one; else null. */
  readonly hint: string | null
  /** Empty for a cell without a value: nothing is evidence of it. */
  readonly alternatives: readonly (readonly Needle[])[]
}

/** CONTRACT, Evidence: percentages, ratios and per-share values are printed as they are, never in thousands. */
const unscaledColumn =
  /%|\b(?:percent(?:age)?|ratio|rate|margin|eps)\b|per share|\/\s*share|率|比$|比\s*[(（]|每股|元\/股/i

const listSeparator = /\s*[;；、|\n]\s*/

function numberNeedle(value: number, column: string): Needle {
  return { kind: 'number', value, scaled: !unscaledColumn.test(column) }
}

function textNeedle(value: string): Needle | null {
  const date = readDate(value)
  const forms = [foldText(value).text, ...(date === null ? quarterWrittenForms(value) : dateForms(date))]
  const kept = [...new Set(forms.filter(form => form !== ''))]
  return kept.length === 0 ? null : { kind: 'text', forms: kept }
}

/** The items of a list that gold writes as JSON text; null for any other value. */
function jsonItems(value: string): string[] | null {
  if (!/^\s*\[[\s\S]*\]\s*$/.test(value)) return null
  try {
    const items: unknown = JSON.parse(value)
    return Array.isArray(items)
      ? items.map(item => (typeof item === 'string' ? item : JSON.stringify(item)))
      : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function allItems(items: readonly string[]): Needle[] | null {
  const needles = withLawOfEach(items)
    .map(textNeedle)
    .filter(needle => needle !== null)
  return needles.length === 0 ? null : needles
}

/** Text, a date, or a list whose items may stand apart; a value that reads as a number may be printed with separators. */
function textAlternatives(value: string): Needle[][] {
  const listed = jsonItems(value)
  const whole = listed === null ? textNeedle(value) : null
  const split = listed ?? value.split(listSeparator).filter(item => item !== '')
  const parts = listed !== null || split.length > 1 ? allItems(split) : null
  const number = goldNumber(value)
  return [
    ...(whole === null ? [] : [[whole]]),
    ...(parts === null ? [] : [parts]),
    ...(number === null ? [] : [[{ kind: 'number', value: number.value, scaled: false } as const]]),
  ]
}

function derivedAlternative(column: string, row: GoldRow): Needle[] | null {
  const derivation = derivationOf(column, row)
  if (derivation === null) return null
  if (derivation.kind === 'operands') {
    return derivation.operands.map(operand => numberNeedle(operand.value, operand.column))
  }
  const { current, percent, tolerance } = derivation
  return [{ kind: 'growth', current: current.value, percent, tolerance }]
}

function numberAlternatives(value: number, column: string, row: GoldRow): Needle[][] {
  const derived = derivedAlternative(column, row)
  return [[numberNeedle(value, column)], ...(derived === null ? [] : [derived])]
}

/** What is evidence of a gold value: CONTRACT, Evidence. `numeric` says that its column is one of numbers. */
export function evidenceOf(value: GoldValue, column: string, row: GoldRow, numeric: boolean): Needle[][] {
  if (value === null || String(value).trim() === '') return []
  const number = numeric ? goldNumber(value) : null
  return number === null ? textAlternatives(String(value)) : numberAlternatives(number.value, column, row)
}

const tables = new WeakMap<TableGold, { readonly hints: string; readonly cells: readonly CellEvidence[] }>()

/**
 * The evidence of every gold cell (rows x target columns), in row order. `hints` are the task's document names.
 * Made once for a gold table, so that the indexes know its needles again.
 */
export function evidenceOfTable(gold: TableGold, hints: readonly string[]): readonly CellEvidence[] {
  const key = JSON.stringify(hints)
  const known = tables.get(gold)
  if (known?.hints === key) return known.cells
  const cells = planCells(gold, hints)
  tables.set(gold, { hints: key, cells })
  return cells
}

function planCells(gold: TableGold, hints: readonly string[]): CellEvidence[] {
  return gold.rows.flatMap((row, goldRow) => {
    const keys = gold.keyColumns.map(column => String(row[column] ?? ''))
    const hint = hints.find(name => keys.some(key => sameDocumentName(key, name))) ?? null
    return gold.targetColumns.map(column => ({
      goldRow,
      column,
      hint,
      alternatives: evidenceOf(row[column] ?? null, column, row, gold.numericColumns.includes(column)),
    }))
  })
}

/** Whether the cell's evidence stands in the texts: an alternative all of whose needles some allowed text holds. */
export function findCell(
  cell: CellEvidence,
  documents: readonly EvidenceDocument[],
  indexes: TextIndexes,
): boolean {
  const allowed = documents.filter(document => cell.hint === null || document.hint === cell.hint)
  return cell.alternatives.some(needles =>
    needles.every(needle => allowed.some(document => indexes(document.text).has(needle))),
  )
}
