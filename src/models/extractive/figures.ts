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
  readonly years: readonly string[]
  readonly spans: readonly string[]
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

function pick(row: Row, unit: number, quarter: boolean, home: Statement): Figure | undefined {
  const { years, spans, numbers } = row
  const groups = spans.length > 1 && years.length % spans.length === 0 ? spans : ['']
  const size = Math.max(1, Math.floor(Math.min(years.length, numbers.length) / groups.length))
  const months = groups.map(span =>
    ['three', 'six', 'nine', 'twelve'].indexOf(span.toLowerCase().split(/\s/)[0]!),
  )
  const longest = home === 'cash' || !quarter
  const group = months.indexOf(longest ? Math.max(...months) : Math.min(...months))
  const order = years.slice(group * size, group * size + size).map((year, index) => ({ year, index }))
  order.sort((a, b) => Number(b.year) - Number(a.year) || a.index - b.index)
  const at = (index: number | undefined) => numbers[group * size + (index ?? 0)]?.value ?? null
  const now = at(order[0]?.index)
  const before = order.length === 1 ? null : at(order[1]?.index ?? 1)
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
  let statement: Statement = 'none'
  let unit: number | null = null
  let years: string[] = []
  let spans: string[] = []
  let previous = ''
  for (const line of text.split('\n')) {
    const short = line.length < 140
    const heading = short ? headings.find(([pattern]) => pattern.test(line)) : undefined
    if (heading !== undefined) [statement, unit, years, spans] = [heading[1], unit, [], []]
    if (short) {
      unit = readUnitLine(line) ?? unit
      const said = line.match(/\b(?:three|six|nine|twelve)\s+months|\byears? ended/gi)
      if (said !== null && said.length > 0 && !/\d{4}\b.*\d{4}\b.*\d{4}\b.*\d{4}/.test(line)) spans = said
      const named = line.match(/(?<![\d,.])(?:19|20)\d\d(?![\d,.]\d)/g) ?? []
      const rest = line.replace(/(?:19|20)\d\d|\b\d{1,2}(?:,|日|月)?(?=\s|\d|$)/g, '')
      if (named.length > 1 && !/\d{3}/.test(rest)) years = named
    }
    const row = readRow(line)
    if (row === null) {
      previous = short && !/[:：.。]$|\d{3}/.test(line) ? line : ''
      continue
    }
    const parts = { ...row, statement, unit, years, spans }
    rows.push({ ...parts, label: tidy(row.label) })
    if (previous !== '') rows.push({ ...parts, label: tidy(`${previous} ${row.label}`) })
    previous = ''
  }
  return rows
}

function readRow(line: string): Pick<Row, 'label' | 'numbers'> | null {
  if (!/\d/.test(line) || !/\p{L}/u.test(line)) return null
  let cells = line.split(/\t|\s*\|\s*|\s{2,}/).filter(cell => cell !== '')
  if (cells.length === 1) {
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
  return /^(?:[$€£¥]\s*)?[-—–]+$/.test(cell) || readNumber(cell) !== null
}

function tidy(label: string): string {
  return label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/\([^)]*\)/g, ' ')
    .replace(/^\s*(?:[一二三四五六七八九十]+、|其中:|\d+、)/, '')
    .replace(/[:*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
}
