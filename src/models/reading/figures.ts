import { readNumber, readUnitLine } from '../../core/values.ts'

/** A figure's name, the statement it belongs to, and its labels, best first (a pattern each, for the whole label). */
const labels = `
revenue | income | total (?:net )?(?:revenues?|sales).* ; (?:net )?(?:operating )?(?:revenues?|sales)(?:, net)? ; (?:net )?(?:revenues?|sales), total ; 营业收入 ; 营业总收入
netIncome | income | (?:consolidated )?net (?:income|earnings|loss|profit).* attributable to (?!.*(?:non-?controlling|common|minority)).* ; 归属于.*(?:股东|所有者)的净利润 ; net (?:income|earnings|loss|profit) ; (?:profit|loss) for the (?:year|period|quarter).* ; 净利润
dilutedEps | income | diluted(?: (?:net )?(?:income|earnings|loss|profit) per .*)? ; .*(?:earnings|income|loss) per .*dilut.* ; .*assuming dilution.* ; 稀释每股收益
basicEps | income | basic(?: (?:net )?(?:income|earnings|loss|profit) per .*)? ; (?:net )?(?:earnings|income|loss) per .*(?:share|basic).* ; (?:基本)?每股收益
assets | balance | total assets ; 资产总计 ; 资产总额 ; 总资产
liabilities | balance | total liabilities ; 负债合计 ; 负债总额 ; 总负债
equity | balance | total (?:stock|share|share?own)(?:holders|ers)'? (?:equity|deficit|investment).* ; total (?:(?!liabilities).)*(?:stock|share|share?own)(?:holders|ers)'? (?:equity|deficit|investment).* ; (?:total )?(?:equity|net assets) attributable to .*(?:share|owners|parent|holders).* ; total equity ; 归属于.*(?:股东|所有者)(?:的)?(?:权益|净资产).* ; (?:所有者|股东)权益(?:合计|总额)? ; net assets ; 净资产
allEquity | balance | total equity ; (?:所有者|股东)权益合计 ; total (?:stock|share)(?:holders|owners)' (?:equity|deficit).*
cash | balance | (?:total )?cash and (?:cash )?equivalents.* ; cash, cash equivalents.* ; cash ; 货币资金
shares | balance | 股本 ; 实收资本.* ; share capital ; issued capital
operatingCash | cash | (?:net |total )?(?:change in )?cash (?:flows? )?(?:provided|used|from|generated|inflow|outflow).*operati(?:ng activities|ons)(?:, net)?(?: of continuing operations)? ; net operating cash flow ; total operating activities ; 经营活动产生的现金流量净额 ; 经营活动现金(?:流量)?净额
roe | ratios | weighted average return on (?:net assets|equity).* ; 加权平均净资产收益率
equityPerShare | ratios | net assets? (?:value )?per share.* ; 每股净资产
`
type Statement = 'income' | 'balance' | 'cash' | 'ratios' | 'summary' | 'other' | 'none'

const wanted = labels
  .trim()
  .split('\n')
  .map(line => {
    const [name = '', statement = '', patterns = ''] = line.split(' | ')
    const whole = patterns.split(' ; ').map(pattern => new RegExp(`^(?:${pattern.trim()})$`))
    return { name, statement: statement as Statement, patterns: whole }
  })

const headings: readonly (readonly [RegExp, Statement])[] = [
  [/母公司(?:资产负债|利润|现金流量)|statements? of .*(?:equity|deficit|investment)|权益变动表/i, 'other'],
  [
    /balance sheets?|statements? of (?:consolidated )?financial (?:position|condition)|资产负债表/i,
    'balance',
  ],
  [/statements? of (?:consolidated )?cash flows?|cash flow statements?|现金流量表/i, 'cash'],
  [
    /statements? of (?:consolidated )?(?:operations|income|earnings|profit)|income statements?|利润表/i,
    'income',
  ],
  [/key (?:accounting|financial|figures)|financial (?:highlights|summary)|主要会计数据|主要财务/i, 'summary'],
  [/^(?:notes to|\d+\.? ?notes to|note 1)\b|management.s discussion|财务报表(?:附注|项目注释)/i, 'other'],
]

interface Row {
  readonly label: string
  readonly statement: Statement
  readonly numbers: readonly { readonly value: number | null; readonly text: string }[]
  readonly unit: number | null
  /** Of the columns, left to right; empty where the table names none. */
  readonly years: readonly number[]
  /** Months that the columns' groups span, left to right. */
  readonly spans: readonly number[]
}

/** A figure in full units and the one of the period before it; null where the document gives none. */
export interface Figure {
  readonly now: number
  readonly before: number | null
}

/** The figures of a report by name, read off its tables by label, statement and period. `quarter`: its flows are a quarter's. */
export function readFigures(text: string, quarter: boolean): Readonly<Record<string, Figure | undefined>> {
  const rows = readRows(text)
  const unit = rows.find(row => row.unit !== null)?.unit ?? 1
  const figures: Record<string, Figure | undefined> = {}
  for (const { name, statement, patterns } of wanted) {
    let best: Row | null = null
    let bestRank = Number.POSITIVE_INFINITY
    for (const row of rows) {
      const found = patterns.findIndex(pattern => pattern.test(row.label))
      if (found < 0 || (/Eps$/.test(name) && !row.numbers.some(number => number.text.includes('.')))) continue
      const rank = found + 20 * distance(row.statement, statement)
      if (rank < bestRank) [best, bestRank] = [row, rank]
    }
    const plain = statement === 'ratios' || /Eps$/.test(name)
    if (best !== null) figures[name] = pick(best, plain ? 1 : (best.unit ?? unit), quarter, statement)
  }
  return figures
}

function distance(statement: Statement, home: Statement): number {
  if (statement === home) return 0
  return { summary: 1, none: 2, ratios: 2, income: 2, balance: 2, cash: 2, other: 3 }[statement]
}

/** The cell of the wanted period and the one of the period before it. */
function pick(
  { years, spans, numbers }: Row,
  unit: number,
  quarter: boolean,
  home: Statement,
): Figure | undefined {
  const groups = spans.length > 1 && numbers.length % spans.length === 0 ? spans : [0]
  const size = numbers.length / groups.length
  const group = groups.indexOf(home === 'cash' || !quarter ? Math.max(...groups) : Math.min(...groups))
  const named =
    years.length >= numbers.length ? years.slice(group * size, (group + 1) * size) : years.slice(0, size)
  const order = named.map((year, index) => ({ year, index }))
  order.sort((a, b) => b.year - a.year || a.index - b.index)
  const at = (index: number): number | null => numbers[group * size + index]?.value ?? null
  const now = at(order[0]?.index ?? 0)
  const before = size > 1 ? at(order[1]?.index ?? 1) : null
  return now === null
    ? undefined
    : { now: scaled(now, unit), before: before === null ? null : scaled(before, unit) }
}

/** Without binary noise: 5048.4 million is 5,048,400,000. */
function scaled(value: number, unit: number): number {
  return unit === 1 ? value : Number(`${value}e${Math.log10(unit)}`)
}

function readRows(text: string): Row[] {
  const rows: Row[] = []
  let table: Pick<Row, 'statement' | 'unit' | 'years' | 'spans'> = {
    statement: 'none',
    unit: null,
    years: [],
    spans: [],
  }
  let open = true
  let above = ''
  for (const line of text.split('\n')) {
    const short = line.length < 140
    const heading = short ? headings.find(([pattern]) => pattern.test(line)) : undefined
    if (heading !== undefined) table = { ...table, statement: heading[1], years: [], spans: [] }
    if (short) table = { ...table, ...readHeader(line, table, open) }
    const row = readRow(line)
    open = row === null
    if (row !== null) {
      rows.push({ ...row, ...table, label: tidy(row.label) })
      // A label may be set over two lines.
      if (above !== '') rows.push({ ...row, ...table, label: tidy(`${above} ${row.label}`) })
    }
    above = row === null && short && !/[:：.。]$|\d{3}/.test(line) ? line : ''
  }
  return rows
}

const months: readonly (readonly [RegExp, number])[] = [
  [/^(?:nine|9|thirty-?nine|3[69]|three (?:fiscal )?quarters)\b/, 9],
  [/^(?:six|6|two|twenty-?six|2[4-8])\b/, 6],
  [/^(?:three|3|thirteen|13|(?:twelve|12)[\s-]weeks|(?:fiscal )?quarter)/, 3],
]
const spanWords =
  /\b(?:(?:three|six|nine|twelve|[369]|12)[\s-]months?|(?:(?:two|three)\s+)?(?:fiscal )?quarters?\s+ended|(?:twelve|thirteen|twenty-?six|thirty-?nine|1[23]|2[4-8]|3[69]|5[23])[\s-]weeks?|years?\s+ended|year[\s-]to[\s-]date)/gi
const dateWords =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?|unaudited|ended|as of|item|change|项目|附注|\bq[1-4]\b|年度?|月|日|末/gi

/** What a line of a table's head says: unit, spans, years. `open`: the line before was of the head too. */
function readHeader(line: string, table: Pick<Row, 'years'>, open: boolean): Partial<Row> {
  const unit = readUnitLine(line)
  const spans = (line.match(spanWords) ?? []).map(
    said => months.find(([pattern]) => pattern.test(said.toLowerCase()))?.[1] ?? 12,
  )
  const named = (line.match(/(?<![\d,.])(?:19|20)\d\d(?![\d,.]\d)/g) ?? []).map(Number)
  const rest = line
    .replace(spanWords, '')
    .replace(dateWords, '')
    .replace(/(?:19|20)\d\d|\b\d{1,2}\b|[\s,|()%$]/g, '')
  const isHead = named.length > 0 && rest.length < 12 && (named.length > 1 || rest === '')
  return {
    ...(unit !== null && { unit }),
    ...(spans.length > 0 && rest.length < 40 && { spans }),
    ...(isHead && { years: open && named.length === 1 ? [...table.years, ...named] : named }),
  }
}

function readRow(line: string): Pick<Row, 'label' | 'numbers'> | null {
  if (!/\d/.test(line) || !/\p{L}/u.test(line)) return null
  let cells = line.split(/\t|\s*\|\s*|\s{2,}/).filter(cell => cell !== '')
  if (cells.length === 1) {
    if (line.length > 300 || !/[\d)%—–-]\s*$/.test(line)) return null
    const tail = /^(.*?\p{L}.*?)((?:\s+(?:[$€£¥]\s*)?(?:\(?-?[\d,]*\d(?:\.\d+)?\)?|[-—–])(?:\s*%)?)+)$/u.exec(
      line,
    )
    if (tail === null) return null
    cells = [tail[1]!, ...tail[2]!.trim().split(/\s+(?![)%])(?<![$€£¥]\s*)/)]
  }
  const first = cells.findIndex((cell, index) => index > 0 && isNumber(cell))
  if (first < 0) return null
  const numbers = cells
    .slice(first)
    .filter(cell => isNumber(cell) && !cell.includes('%'))
    .map(cell => ({ text: cell, value: readNumber(cell)?.value ?? null }))
  // A column of notes: a small whole number before amounts.
  if (numbers.length > 2 && /^\d{1,2}$/.test(numbers[0]!.text) && Math.abs(numbers[1]!.value ?? 0) > 999)
    numbers.shift()
  return numbers.length === 0 ? null : { label: cells.slice(0, first).join(' '), numbers }
}

function isNumber(cell: string): boolean {
  if (cell.length > 30 || !/^[($€£¥￥+−–—\d.-]/.test(cell)) return false
  return /^(?:[$€£¥]\s*)?[-—–]+$/.test(cell) || readNumber(cell) !== null
}

function tidy(label: string): string {
  return label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/\([^)]*\)/g, ' ')
    .replace(/^\s*(?:[一二三四五六七八九十]+、|其中:|\d+[、.])*/, '')
    .replace(/[:*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
}
