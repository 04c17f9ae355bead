import { readNumber, readUnitLine } from '../../core/values.ts'
import { labels, regex, type Texts } from './labels.ts'
import { type Cell, type SeenDocument, stemOf, type Table } from './table.ts'

const compile = (pattern: string, flags = 'iu'): RegExp => regex(pattern, flags)
const { columns, periods, distance, derived } = labels.reports
const statements = Object.entries(labels.reports.statements).map(([name, is]) => ({ name, is: compile(is) }))
const noise = compile('{noise}', 'gu')

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
    const period = periodOf(texts)
    const isQuarter = compile('{quarterly}').test(`${period} ${texts.stem} ${texts.head}`)
    const [figures, known] = [readFigures(text, isQuarter), { name, period } as Record<string, Cell>]
    return shown.map(([, , way]) => known[way] ?? printed(workOut(figures, way), way))
  })
  return { columns: shown.map(([en, zh]) => (isChinese ? zh : en.replace('$', currency))), rows }
}

/** The label of the first period that is found: `FY2025 Q2`, `2024-Q1`, `2023`. */
function periodOf(texts: Texts): Cell {
  const found = periods.find(([where, pattern]) => compile(pattern).test(texts[where] ?? ''))
  if (found === undefined) return null
  const [where, pattern, label] = found
  const groups = compile(pattern).exec(texts[where]!)?.groups
  return label.replace(/\{(\w+)\}/g, (_, name) => groups?.[name] ?? '')
}

function printed(value: number, way: string): Cell {
  if (!Number.isFinite(value)) return null
  if (way.startsWith('money')) return Math.round(value).toLocaleString('en-US')
  return (Math.round(value * 100 * (1 + 1e-12)) / 100).toFixed(2)
}

/** `WAY a b` of the figures a and b; NaN without operands. */
function workOut(figures: Figures, said: string): number {
  const [way = '', first = '', second = ''] = said.split(' ')
  const [a = Number.NaN, b = Number.NaN] = [figures[first], figures[second]]
  const ways: Figures = { money: a, each: a, less: a - b, mean: (a + b) / 2, ratio: a / b }
  return { ...ways, percent: (a / b) * 100, growth: ((a - b) / Math.abs(b)) * 100 }[way] ?? Number.NaN
}

/** Of a quarterly report the figures of the quarter, but those of its cash flows for the year so far. */
function readFigures(text: string, isQuarter: boolean): Figures {
  const rows = readRows(text)
  const figures: Figures = {}
  for (const [name, { statement, kind, labels: all }] of Object.entries(labels.reports.figures)) {
    const patterns = all.map(label => compile(`^(?:${label})$`))
    const ranks = rows.map(row => {
      const rank = patterns.findIndex(pattern => pattern.test(row.label))
      const fits = rank >= 0 && (kind === 'money' || row.cells.some(cell => /\.\d\d/.test(cell)))
      return fits ? rank + (row.statement === statement ? 0 : (distance[row.statement] ?? 40)) : 1_000
    })
    const best = rows[ranks.indexOf(Math.min(...ranks, 999))]
    if (best === undefined) continue
    const unit = best.unit ?? rows.find(row => row.unit !== null)?.unit ?? 1
    // As a power of ten the unit makes no binary noise: 5048.4 in millions is 5,048,400,000.
    const read = (cell = ''): number =>
      Number(`${readNumber(cell)?.value}e${kind === 'money' ? Math.log10(unit) : 0}`)
    const [now, before] = nowAndBefore(best, statement === 'cash' || (statement === 'income' && !isQuarter))
    Object.assign(figures, { [name]: read(now), [`${name}:before`]: read(before) })
  }
  for (const [name, way] of Object.entries(derived)) figures[name] ??= workOut(figures, way)
  return figures
}

/** The cells of the newest year and of the one before it. Columns of a longer time come last, under the same years. */
function nowAndBefore({ cells, years: all }: Row, isLong: boolean): (string | undefined)[] {
  const years = all.slice(-cells.length)
  const isDoubled =
    years.length > 1 && years.slice(years.length / 2).join() === years.slice(0, years.length / 2).join()
  const start = isDoubled && isLong ? cells.length / 2 : 0
  const newest = Math.max(0, years.indexOf(Math.max(...years)))
  const older = years.findIndex(year => year < years[newest]!)
  return [cells[start + newest], cells[start + (older < 0 ? newest + 1 : older)]]
}

function readRows(text: string): Row[] {
  const rows: Row[] = []
  let head: Head = { statement: '', unit: null, years: [] }
  // The line before, where it is no row: a label may be set over two lines, and so may a table's head.
  let above: string | null = null
  for (const line of text.split('\n').filter(one => one.length < 300)) {
    const statement = line.length < 140 ? statements.find(({ is }) => is.test(line))?.name : undefined
    if (statement !== undefined) head = { ...head, statement, years: [] }
    const row = readRow(line)
    for (const before of row === null ? [] : ['', above ?? ''])
      rows.push({ ...head, cells: row!.cells, label: tidy(`${before} ${row!.label}`) })
    const years = row === null ? (line.match(/(?<![\d,.])(?:19|20)\d\d(?![\d,.]\d)/g) ?? []).map(Number) : []
    if (years.length > 0) head = { ...head, years: above === null ? years : [...head.years, ...years] }
    head = { ...head, unit: readUnitLine(line) ?? head.unit }
    above = row === null ? line : null
  }
  return rows
}

function readRow(line: string): Pick<Row, 'label' | 'cells'> | null {
  const parted = /\t|\||\s{2}/.test(line) ? line : line.replace(/ (?=(?: ?[$€£¥]? ?\(?[\d,.]+\)?)+$)/g, '\t')
  const parts = parted.split(/\s*[\t|]\s*|\s{2,}/).map(part => part.replace(/[$€£¥￥]/g, '').trim())
  const isValue = parts.map((part, at) => at > 0 && /^[-—–]+$|^[(+−–—.-]{0,3}\d[\d,.]*\)?$/.test(part))
  const cells = parts.filter((_, at) => isValue[at])
  if (cells.every(cell => /^(?:19|20)\d\d$/.test(cell))) return null
  // A column of notes: a small whole number before amounts.
  if (cells.length > 2 && /^\d{1,2}$/.test(cells[0]!) && /\d,\d{3}/.test(cells[1]!)) cells.shift()
  return { label: parts.slice(0, isValue.indexOf(true)).join(' '), cells }
}

function tidy(label: string): string {
  const plain = label.normalize('NFKC').toLowerCase().replace(/[‘’]/g, "'").replace(noise, ' ')
  return plain
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
}
