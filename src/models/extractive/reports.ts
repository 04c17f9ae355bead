import { documentStem } from '../../core/document-name.ts'
import { readTableLine } from '../../core/table-line.ts'
import { readNumber, readUnitLine } from '../../core/values.ts'
import { labels, regex, type Texts } from './labels.ts'
import type { SeenDocument } from './search.ts'

const compile = (pattern: string, flags = 'iu'): RegExp => regex(pattern, flags)
const { columns, periods, distance, derived } = labels.reports
const statements = Object.entries(labels.reports.statements).map(([name, is]) => ({ name, is: compile(is) }))
const noise = compile('{noise}', 'gu')

/** A table's row under the statement, the unit and the years (left to right) that stand above it. */
type Row = {
  label: string
  cells: readonly string[]
  statement: string
  unit: number | null
  years: number[]
}
/** By name, in full units; `name:before` is that of the period before. */
type Figures = Record<string, number>

/** Financial reports: a row a document, with every column of labels.json. */
export function reportsTable(query: string, documents: readonly SeenDocument[]) {
  const isChinese = /\p{Script=Han}/u.test(query)
  const currency = documents.some(({ text }) => compile('{yuan}').test(text)) ? 'CNY' : 'USD'
  const shown = columns.filter(([, chinese]) => !isChinese || chinese !== '')
  const rows = documents.map(({ name, text }) => {
    const texts = { query, stem: documentStem(name), head: text.slice(0, 6_000) }
    const known: Record<string, string | null> = { name, period: periodOf(texts) }
    const isQuarter = compile('{quarterly}').test(`${known.period} ${texts.stem} ${texts.head}`)
    const figures = readFigures(text, isQuarter)
    return shown.map(([, , way]) => known[way] ?? printed(workOut(figures, way), way))
  })
  return { columns: shown.map(([en, zh]) => (isChinese ? zh : en.replace('$', currency))), rows }
}

/** The label of the first period that is found: `FY2025 Q2`, `2024-Q1`, `2023`. */
function periodOf(texts: Texts): string | null {
  const found = periods.map(([where, pattern]) => compile(pattern).exec(texts[where] ?? '')?.groups)
  const at = found.findIndex(groups => groups !== undefined)
  return periods[at]?.[2].replace(/\{(\w+)\}/g, (_, name) => found[at]?.[name] ?? '') ?? null
}

function printed(value: number, way: string): string | null {
  if (!Number.isFinite(value)) return null
  if (way.startsWith('money')) return Math.round(value).toLocaleString('en-US')
  return (Math.round(value * 100 * (1 + 1e-12)) / 100).toFixed(2)
}

/** `WAY a b` of the figures a and b; NaN without operands. */
function workOut(figures: Figures, said: string): number {
  const [way = '', first = '', second = ''] = said.split(' ')
  const [a = Number.NaN, b = Number.NaN] = [figures[first], figures[second]]
  const growth = ((a - b) / Math.abs(b)) * 100
  const ways: Figures = { less: a - b, mean: (a + b) / 2, ratio: a / b, percent: (a / b) * 100, growth }
  return ways[way] ?? a
}

/** Of a quarterly report the figures of the quarter, but those of its cash flows for the year so far. */
function readFigures(text: string, isQuarter: boolean): Figures {
  const rows = [...rowsOf(text)]
  const figures: Figures = {}
  for (const [name, [statement, kind, all]] of Object.entries(labels.reports.figures)) {
    const patterns = all.map(label => compile(`^(?:${label})$`))
    const ranks = rows.map(row => {
      const rank = patterns.findIndex(pattern => pattern.test(row.label))
      const fits = rank >= 0 && (kind === 'money' || row.cells.some(cell => /\.\d\d/.test(cell)))
      return fits ? rank + (row.statement === statement ? 0 : (distance[row.statement] ?? 40)) : 1_000
    })
    const best = rows[ranks.indexOf(Math.min(...ranks, 999))]
    if (best === undefined) continue
    const unit = kind === 'each' ? 1 : (best.unit ?? rows.find(row => row.unit !== null)?.unit ?? 1)
    // As a power of ten the unit makes no binary noise: 5048.4 in millions is 5,048,400,000.
    const read = (cell = ''): number => Number(`${readNumber(cell)?.value}e${Math.log10(unit)}`)
    const [now, before] = nowAndBefore(best, statement === 'cash' || (statement === 'income' && !isQuarter))
    Object.assign(figures, { [name]: read(now), [`${name}:before`]: read(before) })
  }
  for (const [name, way] of Object.entries(derived)) figures[name] ??= workOut(figures, way)
  return figures
}

/** The cells of the newest year and of the one before it. Columns of a longer time come last, under the same years. */
function nowAndBefore({ cells, years: all }: Row, isLong: boolean): (string | undefined)[] {
  const years = all.slice(-cells.length)
  const [half, newest] = [years.length / 2, Math.max(0, years.indexOf(Math.max(...years)))]
  const isDoubled = half > 0 && years.slice(half).join() === years.slice(0, half).join()
  const start = isDoubled && isLong ? cells.length / 2 : 0
  const older = years.findIndex(year => year < years[newest]!)
  return [cells[start + newest], cells[start + (older < 0 ? newest + 1 : older)]]
}

function* rowsOf(text: string): Generator<Row> {
  let [statement, unit, years]: [string, number | null, number[]] = ['', null, []]
  // The line before, where it is no row: a label may be set over two lines, and so may a table's head.
  let above: string | null = null
  for (const line of text.split('\n').filter(one => one.length < 300)) {
    const heading = line.length < 140 ? statements.find(({ is }) => is.test(line)) : undefined
    if (heading !== undefined) [statement, years] = [heading.name, []]
    unit = readUnitLine(line) ?? unit
    const { label, cells } = readTableLine(line)
    const isRow = cells.some(cell => !/^(?:19|20)\d\d$/.test(cell))
    const named = isRow ? null : line.match(/(?<![\d,.])(?:19|20)\d\d(?![\d,.]\d)/g)
    if (named !== null) years = [...(above === null ? [] : years), ...named.map(Number)]
    for (const before of isRow ? ['', above ?? ''] : [])
      yield { label: tidy(`${before} ${label}`), cells, statement, unit, years }
    above = isRow ? null : line
  }
}

function tidy(label: string): string {
  const plain = label.normalize('NFKC').toLowerCase().replace(/[‘’]/g, "'").replace(noise, ' ')
  return plain
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
}
