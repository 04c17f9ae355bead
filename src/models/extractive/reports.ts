import { readNumber, readUnitLine } from '../../core/values.ts'
import { labels, regex, type Texts } from './labels.ts'
import { type Cell, type SeenDocument, stemOf, type Table } from './table.ts'

const { distance, periods, derived, columns } = labels.reports
const compile = (pattern: string, flags = 'iu'): RegExp => regex(pattern, flags)
const statements = Object.entries(labels.reports.statements).map(([name, is]) => ({ name, is: compile(is) }))
const headWords = compile('{head}', 'giu')
const wanted = Object.entries(labels.reports.figures).map(([name, figure]) => {
  return { ...figure, name, labels: figure.labels.map(label => compile(`^(?:${label})$`)) }
})

/** A table's row under the statement, the unit and the years (left to right) that stand above it. */
type Head = { readonly statement: string; readonly unit: number | null; readonly years: readonly number[] }
type Row = Head & { readonly label: string; readonly cells: readonly string[] }
/** By name, in full units; `name:before` is that of the period before. */
type Figures = Record<string, number>

/** Financial reports: a row a document, with every column of labels.json. */
export function reportsTable(query: string, documents: readonly SeenDocument[]): Table {
  const isChinese = /\p{Script=Han}/u.test(query)
  const currency = documents.some(({ text }) => compile('{yuan}').test(text)) ? 'CNY' : 'USD'
  const shown = columns.filter(([, chinese]) => !isChinese || chinese !== '')
  const rows = documents.map(({ name, text }) => {
    const texts = { query, stem: stemOf(name), head: text.slice(0, 6_000) }
    const known: Record<string, Cell> = { name, period: periodOf(texts) }
    const isQuarter = compile('{quarterly}').test(`${known.period} ${texts.stem} ${texts.head}`)
    const figures = readFigures(text, isQuarter)
    return shown.map(([, , way]) => known[way] ?? printed(workOut(figures, way), way))
  })
  return { columns: shown.map(([en, zh]) => (isChinese ? zh : en.replace('$', currency))), rows }
}

/** The label of the first period that a pattern finds: `FY2025 Q2`, `2024-Q1`, `2023`. */
function periodOf(texts: Texts): Cell {
  for (const [where, pattern, label] of periods) {
    const groups = compile(pattern).exec(texts[where] ?? '')?.groups
    if (groups !== undefined) return label.replace(/\{(\w+)\}/g, (_, name) => groups[name] ?? '')
  }
  return null
}

/** `WAY a b` of the figures a and b, or a where the way needs no b; NaN without operands. */
function workOut(figures: Figures, said: string): number {
  const [way = '', first = '', second = ''] = said.split(' ')
  const [a = Number.NaN, b = Number.NaN] = [figures[first], figures[second]]
  const told: Figures = { less: a - b, mean: (a + b) / 2, ratio: a / b, percent: (a / b) * 100 }
  return { ...told, growth: ((a - b) / Math.abs(b)) * 100 }[way] ?? a
}

function printed(value: number, way: string): Cell {
  if (!Number.isFinite(value)) return null
  if (way.startsWith('money')) return Math.round(value).toLocaleString('en-US')
  return (Math.round(value * 100 * (1 + 1e-12)) / 100).toFixed(2)
}

/** The figures of a report; those of a quarterly one are its quarter's, but of its cash flows the year's so far. */
function readFigures(text: string, isQuarter: boolean): Figures {
  const rows = readRows(text)
  const anyUnit = rows.find(({ unit }) => unit !== null)?.unit ?? 1
  const figures: Figures = {}
  for (const { name, statement, kind, labels: all } of wanted) {
    const ranks = rows.map(row => {
      const rank = all.findIndex(label => label.test(row.label))
      const fits = rank >= 0 && (kind === 'money' || row.cells.some(cell => /\.\d\d/.test(cell)))
      return fits ? rank + (row.statement === statement ? 0 : (distance[row.statement] ?? 40)) : 1_000
    })
    const best = rows[ranks.indexOf(Math.min(...ranks, 999))]
    if (best === undefined) continue
    const factor = kind === 'money' ? (best.unit ?? anyUnit) : 1
    // As a power of ten the factor makes no binary noise: 5048.4 in millions is 5,048,400,000.
    const read = (cell = ''): number => Number(`${readNumber(cell)?.value}e${Math.log10(factor)}`)
    const [now, before] = nowAndBefore(best, isQuarter && statement !== 'cash')
    figures[name] = read(now)
    figures[`${name}:before`] = read(before)
  }
  for (const [name, way] of Object.entries(derived)) figures[name] ??= workOut(figures, way)
  return figures
}

/** The cells of the newest year and of the one before it. Columns of a longer time, with the same years, come last. */
function nowAndBefore({ cells, years }: Row, isShort: boolean): (string | undefined)[] {
  const half = years.length / 2
  const isDoubled = half > 0 && years.slice(0, half).join() === years.slice(half).join()
  const start = isDoubled && !isShort ? cells.length / 2 : 0
  const newest = Math.max(0, years.indexOf(Math.max(...years)))
  const older = years.findIndex(year => year < years[newest]!)
  return [cells[start + newest], cells[start + (older < 0 ? newest + 1 : older)]]
}

function readRows(text: string): Row[] {
  const rows: Row[] = []
  let head: Head = { statement: '', unit: null, years: [] }
  // The line before, where it is no row: a label may be set over two lines, a head's dates one a line.
  let above: string | null = null
  for (const line of text.split('\n')) {
    const isShort = line.length < 140
    const next: Head = isShort ? readHead(line, head, above !== null) : head
    const row = next.years === head.years ? readRow(line) : null
    head = next
    if (row !== null)
      rows.push({ ...head, ...row }, { ...head, ...row, label: tidy(`${above ?? ''} ${row.label}`) })
    above = row !== null ? null : isShort && !/[:：.。]$|\d{3}/.test(line) ? line : ''
  }
  return rows
}

/** What a line says about the rows below it. `isOpen`: the line before was no row. */
function readHead(line: string, head: Head, isOpen: boolean): Head {
  const statement = statements.find(({ is }) => is.test(line))?.name
  const old = statement === undefined ? head : { ...head, statement, years: [] }
  const unit = readUnitLine(line) ?? old.unit
  const years = (line.match(/(?<![\d,.])(?:19|20)\d\d(?![\d,.]\d)/g) ?? []).map(Number)
  const isHead = years.length > 0 && line.replace(headWords, '').length < (years.length > 1 ? 12 : 1)
  if (!isHead) return { ...old, unit }
  return { ...old, unit, years: isOpen && years.length === 1 ? [...old.years, ...years] : years }
}

function readRow(line: string): Pick<Row, 'label' | 'cells'> | null {
  if (line.length > 1_000) return null
  const parted = /\t|\||\s{2}/.test(line) ? line : line.replace(/ (?=(?: ?[$€£¥]? ?\(?[\d,.]+\)?)+$)/g, '\t')
  const parts = parted.split(/\s*[\t|]\s*|\s{2,}/).map(part => part.replace(/[$€£¥￥]/g, '').trim())
  const isValue = parts.map((part, at) => at > 0 && /^[-—–]+$|^[(+−–—.-]{0,3}\d[\d,.]*\)?$/.test(part))
  const first = isValue.indexOf(true)
  if (first < 0) return null
  const cells = parts.filter((_, at) => isValue[at])
  // A column of notes: a small whole number before amounts.
  if (cells.length > 2 && /^\d{1,2}$/.test(cells[0]!) && /\d,\d{3}/.test(cells[1]!)) cells.shift()
  return { label: tidy(parts.slice(0, first).join(' ')), cells }
}

function tidy(label: string): string {
  const plain = label.normalize('NFKC').toLowerCase().replace(/[‘’]/g, "'")
  const bare = plain.replace(/\([^)]*\)|[:*]|^\s*(?:[一二三四五六七八九十]+、|\d+[、.])/g, ' ')
  return bare.replace(/\s+/g, ' ').replace(/^ ?(?:其中 ?)?| $|(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
}
