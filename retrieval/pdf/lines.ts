import { writePipeTable } from '../../src/text/pipe-table.ts'
import { type Line, rowText, withTypeHeight } from './cells.ts'
import { type FoundTable, findColumnTables } from './column-tables.ts'
import { joinRows, placeOverlay } from './join-rows.ts'
import { type RuledTable, takeRuledTables } from './ruled-tables.ts'
import { type Rules, rulesOf, type Stroke } from './rules.ts'

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
export function layoutText(lines: readonly Line[], { strokes, overlay = [] }: PageContext): string {
  const known = new Map<number, Rules>()
  const rulesAt = (angle: number): Rules => {
    const rules = known.get(angle) ?? rulesOf(strokes, angle)
    known.set(angle, rules)
    return rules
  }
  const all = [...lines, ...overlay.map(line => ({ ...line, isOverlay: true }))].map(withTypeHeight)
  const items = takeRuledTables(all, rulesAt)
  const rows = sectionsOf(items.filter(({ isOverlay }) => isOverlay !== true)).flatMap(section =>
    isTable(section) ? section : joinRows(section),
  )
  for (const item of items) if (item.isOverlay === true) placeOverlay(item, rows)
  return sectionsOf(rows)
    .map(section => (isTable(section) ? ruledText(section[0]!) : textOfRows(section, rulesAt)))
    .join('\n')
}

/** Returns the lines in parts: each table between rules, and the lines between these tables. */
function sectionsOf(lines: readonly (Line | RuledTable)[]): (Line[] | [RuledTable])[] {
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

function ruledText({ above, rows, below }: RuledTable): string {
  return [...above.map(rowText), writePipeTable(rows), ...below.map(rowText)].join('\n')
}

function textOfRows(rows: readonly Line[], rulesAt: (angle: number) => Rules): string {
  const tables = findColumnTables(rows, angle => rulesAt(angle).horizontal)
  const tableAt = new Map(tables.flatMap(table => [...table.lines].map(index => [index, table] as const)))
  const written = new Set<FoundTable>()
  const texts = rows.flatMap((row, index) => {
    const table = tableAt.get(index)
    if (table === undefined) return [rowText(row)]
    if (written.has(table)) return []
    written.add(table)
    return [writePipeTable(table.rows)]
  })
  return texts.join('\n')
}
