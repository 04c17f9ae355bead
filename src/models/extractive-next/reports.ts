import { readNumber, readUnitLine } from '../../core/values.ts'
import { labels, stemOf } from './labels.ts'
import type { SeenDocument, Table } from './listing.ts'

const { reports } = labels

/** In full units: this period's and the one before. */
type Figure = { readonly now: number | null; readonly before: number | null }
type Figures = Record<string, Figure | undefined>

/** Financial reports: a row a document, with every column of labels.json. */
export function reportsTable(query: string, documents: readonly SeenDocument[]): Table {
  const chinese = /\p{Script=Han}/u.test(query)
  const yuan = documents.some(({ text }) => /人民币|\b(?:CNY|RMB)\b|单位[：:]/.test(text))
  const columns = reports.columns.filter(([, name]) => !chinese || name !== '')
  const named = columns.map(([en, zh]) => (chinese ? zh : en.replace('$', yuan ? 'CNY' : 'USD')))
  const rows = documents.map(({ name, text }) => {
    const quarter = new RegExp(reports.quarterly, 'i').test(`${name}\n${text.slice(0, 5_000)}`)
    const figures = readFigures(text, quarter)
    for (const [figure, ...way] of reports.derived) figures[figure] ??= derive(figures, way)
    const cells = columns.map(([, , way, ...operands]) => {
      const value = derive(figures, [way, ...operands])?.now ?? null
      if (value === null) return null
      return way === 'money' ? Math.round(value).toLocaleString('en-US') : decimals(value)
    })
    return [name, periodOf(stemOf(name), text, query, quarter), ...cells]
  })
  return {
    columns: [...(chinese ? ['文档名称', '报表所属期'] : ['Filename', 'Reporting Period']), ...named],
    rows,
  }
}

/** `fy2025q2` is FY2025 Q2, `2024-q1` is 2024-Q1; a year's report is its year. */
function periodOf(stem: string, text: string, query: string, quarter: boolean): string | null {
  const [, fiscal, year, number] = /(fy)?((?:19|20)\d\d)[-_ ]?q([1-4])/i.exec(stem) ?? []
  if (number !== undefined) return fiscal === undefined ? `${year}-Q${number}` : `FY${year} Q${number}`
  const asked = /(first|second|third|fourth) quarter of (?:fiscal )?(?:year )?(20\d\d)/i.exec(query)
  if (quarter && asked !== null)
    return `FY${asked[2]} Q${['first', 'second', 'third', 'fourth'].indexOf(asked[1]!.toLowerCase()) + 1}`
  return (
    (/(?:19|20)\d\d/.exec(stem) ??
      /(?:19|20)\d\d(?=\s*(?:年|annual))|(?<=year ended\D{0,20})20\d\d/i.exec(text))?.[0] ?? null
  )
}

function derive(
  figures: Figures,
  [way = '', first = '', second = '']: readonly string[],
): Figure | undefined {
  const [a, b] = [figures[first], figures[second]]
  const of = (one: number | null | undefined, other: number | null | undefined): number | null => {
    if (one == null || other == null) return null
    if (way === 'difference') return one - other
    return other === 0 ? null : (one / other) * (way === 'ratio' ? 1 : 100)
  }
  if (way === 'money' || way === 'each') return a
  if (way === 'growth')
    return {
      now: of(
        a?.now == null || a.before === null ? null : a.now - a.before,
        a?.before == null ? null : Math.abs(a.before),
      ),
      before: null,
    }
  const average = b?.now == null || b.before === null ? null : (b.now + b.before) / 2
  return { now: of(a?.now, way === 'average' ? average : b?.now), before: of(a?.before, b?.before) }
}

function decimals(value: number): string {
  return (Math.round(value * 100 + Math.sign(value) * 1e-7) / 100).toFixed(2)
}

/** What the lines above a table say; years and spans (months) of its columns stand left to right. */
interface Head {
  statement: string
  unit: number | null
  years: number[]
  spans: number[]
}

type Row = Head & {
  readonly label: string
  readonly values: readonly (number | null)[]
  readonly exact: boolean
}

/** The figures of labels.json that a report's tables give, in full units, this period's and the one before. */
function readFigures(text: string, quarter: boolean): Figures {
  const rows = readRows(text)
  const unit = rows.find(row => row.unit !== null)?.unit ?? 1
  const figures: Figures = {}
  for (const [name, [home, kind, ...patterns]] of Object.entries(reports.figures)) {
    const whole = patterns.map(pattern => new RegExp(`^(?:${pattern})$`))
    let best: Row | undefined
    let bestRank = Number.POSITIVE_INFINITY
    for (const row of rows) {
      const found = whole.findIndex(pattern => pattern.test(row.label))
      const distance = row.statement === home ? 0 : (reports.distance[row.statement] ?? 2)
      if (found < 0 || (kind === 'each' && !row.exact) || found + 20 * distance >= bestRank) continue
      best = row
      bestRank = found + 20 * distance
    }
    if (best !== undefined)
      figures[name] = pick(best, kind === 'each' ? 1 : (best.unit ?? unit), !quarter || home === 'cash')
  }
  return figures
}

/** The newest year's cell in the longest span of months or the shortest, and the next newest. */
function pick({ years, spans, values }: Row, unit: number, longest: boolean): Figures[string] {
  const groups = spans.length > 1 && values.length % spans.length === 0 ? spans : [0]
  const size = values.length / groups.length
  const start = groups.indexOf(longest ? Math.max(...groups) : Math.min(...groups)) * size
  const own = years.length >= values.length ? years.slice(start, start + size) : years.slice(0, size)
  const order = own.map((_, index) => index).sort((a, b) => own[b]! - own[a]! || a - b)
  const at = (rank: number): number | null => {
    const value = rank < size ? (values[start + (order[rank] ?? rank)] ?? null) : null
    // Without binary noise: 5048.4 million is 5,048,400,000.
    return value === null ? null : Number(`${value}e${Math.log10(unit)}`)
  }
  return { now: at(0), before: at(1) }
}

function readRows(text: string): Row[] {
  const rows: Row[] = []
  const head: Head = { statement: 'none', unit: null, years: [], spans: [] }
  let above = ''
  let inHead = true
  for (const line of text.split('\n')) {
    const row = line.length < 140 && readHead(line, head, inHead) ? null : readRow(line)
    inHead = row === null
    // A label may be set over two lines.
    for (const label of row === null ? [] : [row.label, `${above} ${row.label}`])
      rows.push({ ...head, ...row!, label: tidy(label) })
    above = row === null && line.length < 140 && !/[:：.。]$|\d{3}/.test(line) ? line : ''
  }
  return rows
}

const spanWords = new RegExp(reports.spans.map(([words]) => `(${words})`).join('|'), 'gi')
const headWords = new RegExp(`${spanWords.source}|${reports.columnHeads}`, 'gi')

/** Takes in what a line says about the table below it; true for a line of years. */
function readHead(line: string, head: Head, inHead: boolean): boolean {
  const statement = reports.statements.find(([, words]) => new RegExp(words, 'i').test(line))?.[0]
  if (statement !== undefined) Object.assign(head, { statement, years: [], spans: [] })
  head.unit = readUnitLine(line) ?? head.unit
  const rest = line.replace(headWords, '').replace(/(?:19|20)\d\d|\b\d{1,2}\b|[\s,|()%$]/g, '')
  const spans = [...line.matchAll(spanWords)].map(
    match => reports.spans[match.slice(1).findIndex(Boolean)]![1],
  )
  if (spans.length > 0 && rest.length < 40) head.spans = spans
  const years = (line.match(/(?<![\d,.])(?:19|20)\d\d(?![\d,.]\d)/g) ?? []).map(Number)
  if (years.length === 0 || rest.length >= (years.length > 1 ? 12 : 1)) return false
  head.years = inHead && years.length === 1 ? [...head.years, ...years] : years
  return true
}

const number = String.raw`\s+(?:[$€£¥]\s*)?(?:\(?-?[\d,]*\d(?:\.\d+)?\)?|[-—–])(?:\s*%)?`
const spaced = new RegExp(String.raw`^(.*?\p{L}.*?)((?:${number})+)\s*$`, 'u')

function readRow(line: string): Pick<Row, 'label' | 'values' | 'exact'> | null {
  if (!/\d/.test(line) || !/\p{L}/u.test(line)) return null
  let cells = line.split(/\s*[\t|]\s*|\s{2,}/).filter(cell => cell !== '')
  const tail = cells.length === 1 && line.length < 300 ? spaced.exec(line) : null
  if (tail !== null) cells = [tail[1]!, ...(tail[2]!.match(new RegExp(number, 'g')) ?? [])]
  const plain = cells.map(cell => cell.replace(/[$€£¥￥]/g, '').trim())
  const isValue = (cell: string): boolean => /^[-—–]+$|^[(+−–—\d.-].{0,30}$/.test(cell) && !cell.includes('%')
  const first = plain.findIndex((cell, index) => index > 0 && isValue(cell))
  if (first < 0) return null
  const shown = plain.slice(first).filter(isValue)
  // A column of notes: a small whole number before amounts.
  if (shown.length > 2 && /^\d{1,2}$/.test(shown[0]!) && /\d,\d{3}/.test(shown[1]!)) shown.shift()
  const values = shown.map(cell => readNumber(cell)?.value ?? null)
  return { label: cells.slice(0, first).join(' '), values, exact: shown.some(cell => cell.includes('.')) }
}

function tidy(label: string): string {
  const plain = label.normalize('NFKC').toLowerCase().replace(/[‘’]/g, "'")
  const named = plain
    .replace(/\([^)]*\)|[:*]/g, ' ')
    .replace(/^\s*(?:[一二三四五六七八九十]+、|其中|\d+[、.])*/, '')
  return named
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
}
