import { writePipeTable } from '../../src/text/pipe-table.ts'
import { correctHeight, isValue, type Line, splitByValues, writeRow } from './cells.ts'
import { type Column, placeCells } from './columns.ts'
import { growRegion, type Region, type Row } from './grow-region.ts'
import { isFilled, isTabular } from './is-tabular.ts'
import { joinTableLines } from './join-lines.ts'
import { joinRows, placeOverlay } from './join-rows.ts'
import { type RuledTable, takeRuledTables } from './ruled-tables.ts'
import { findRules, type Rule, type Rules, type Stroke } from './rules.ts'
import type { TableLine } from './table-lines.ts'

/** What a page shows besides its lines of text. */
export interface PageContext {
  readonly strokes: readonly Stroke[]
  /** Lines over the page, such as the values of a form. */
  readonly overlay?: readonly Line[]
}

/**
 * Writes the lines of a page as text: tables as Markdown, all other rows in one line each, with tabs between cells. Some
 * programs write a header cell by cell or a table column by column. Such lines return to the row on which they are
 * printed. Columns of prose follow each other.
 *
 * @param lines the lines in content order
 */
export function writeLayout(lines: readonly Line[], { strokes, overlay = [] }: PageContext): string {
  const rulesByAngle = new Map<number, Rules>()
  const rulesAt = (angle: number): Rules => {
    const rules = rulesByAngle.get(angle) ?? findRules(strokes, angle)
    rulesByAngle.set(angle, rules)
    return rules
  }
  const allLines = [...lines, ...overlay.map(line => ({ ...line, isOverlay: true }))].map(correctHeight)
  const items = takeRuledTables(allLines, rulesAt)
  const rows = splitAtTables(items.filter(({ isOverlay }) => isOverlay !== true)).flatMap(section =>
    isTable(section) ? section : joinRows(section),
  )
  for (const item of items) if (item.isOverlay === true) placeOverlay(item, rows)
  return splitAtTables(rows)
    .map(section => (isTable(section) ? writeRuled(section[0]!) : writeRows(section, rulesAt)))
    .join('\n')
}

/** Returns the lines in parts: each table between rules, and the lines between these tables. */
function splitAtTables(lines: readonly (Line | RuledTable)[]): (Line[] | [RuledTable])[] {
  const sections: (Line[] | [RuledTable])[] = []
  for (const line of lines) {
    const last = sections.at(-1)
    if ('rows' in line) sections.push([line])
    else if (last !== undefined && !isTable(last)) last.push(line)
    else sections.push([line])
  }
  return sections
}

function isTable(section: Line[] | [RuledTable]): section is [RuledTable] {
  return 'rows' in section[0]!
}

function writeRuled({ above, rows, below }: RuledTable): string {
  return [...above.map(writeRow), writePipeTable(rows), ...below.map(writeRow)].join('\n')
}

function writeRows(rows: readonly Line[], rulesAt: (angle: number) => Rules): string {
  const tables = findColumnTables(rows, angle => rulesAt(angle).horizontal)
  const tableAt = new Map(tables.flatMap(table => [...table.lines].map(index => [index, table] as const)))
  const written = new Set<FoundTable>()
  const texts = rows.flatMap((row, index) => {
    const table = tableAt.get(index)
    if (table === undefined) return [writeRow(row)]
    if (written.has(table)) return []
    written.add(table)
    return [writePipeTable(table.rows)]
  })
  return texts.join('\n')
}

/** A table among the lines of a page, with the indices of its lines. */
interface FoundTable {
  readonly lines: ReadonlySet<number>
  readonly rows: readonly (readonly string[])[]
}

/** Finds the tables whose columns are known only by the places of their cells. */
function findColumnTables(lines: readonly Line[], rulesAt: (angle: number) => readonly Rule[]): FoundTable[] {
  const rows = lines.map((line, index) => ({ ...line, index, cells: splitByValues(line) }))
  // From top to bottom: parts of a table may be drawn before or after the rest of the page.
  rows.sort((first, second) => first.angle - second.angle || second.baseline - first.baseline)
  const tables: FoundTable[] = []
  let rest: readonly Row[] = rows
  // Lines with most cells show the columns best; among these, lines with values, because titles may have as many cells.
  const rank = ({ cells }: Row): number =>
    cells.length + cells.filter(({ text }) => isValue(text)).length / 100
  const seeds = rows.filter(({ cells }) => cells.length > 1).map(row => ({ row, rank: rank(row) }))
  seeds.sort((first, second) => second.rank - first.rank)
  const tried = new Set<Row>()
  for (const { row: seed } of seeds) {
    if (tried.has(seed)) continue
    const rules = rulesAt(seed.angle)
    const region = growRegion(rest, rest.indexOf(seed), rules)
    for (const row of region.rows) tried.add(row)
    const table = findTable(region, rules)
    if (table === null) continue
    tables.push({ lines: new Set(region.rows.map(({ index }) => index)), rows: table })
    rest = rest.filter(row => !region.rows.includes(row))
  }
  return tables
}

function findTable({ rows, columns }: Region, rules: readonly Rule[]): string[][] | null {
  const placed: TableLine[] = rows.map(row => ({
    baseline: row.baseline,
    height: row.height,
    cells: placeCells(row, columns),
  }))
  const lines = mergeColumns(placed, columns)
  const width = columns.length
  if (!isTabular(lines, width, rules)) return null
  const [left, right] = [columns[0]!.left, columns.at(-1)!.right]
  const joined = joinTableLines(lines, { columns: width, left, right, rules, edges: columns })
  return isFilled(joined) ? joined : null
}

/**
 * Merges neighbouring columns of which no line has both, when one has few cells: a title beside the values below it.
 * `columns` is changed too.
 */
function mergeColumns(lines: readonly TableLine[], columns: Column[]): TableLine[] {
  let merged = [...lines]
  for (let at = columns.length - 1; at > 0; at--) {
    const has = (line: TableLine, column: number): boolean =>
      line.cells.some(({ from, to }) => from <= column && to >= column)
    const [left, right] = [at - 1, at].map(column => merged.filter(line => has(line, column)))
    const few = Math.min(left!.length, right!.length)
    if (few > Math.max(2, 0.15 * merged.length) || left!.some(line => right!.includes(line))) continue
    columns[at - 1]!.right = columns[at]!.right
    columns.splice(at, 1)
    const shift = (column: number): number => (column >= at ? column - 1 : column)
    merged = merged.map(line => ({
      ...line,
      cells: line.cells.map(cell => ({ ...cell, from: shift(cell.from), to: shift(cell.to) })),
    }))
  }
  return merged
}
