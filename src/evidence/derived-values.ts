import type { GoldRow, GoldValue } from '../core/gold.ts'
import { countSignificantDigits, type PrintedNumber, readPrintedNumber } from '../text/printed-number.ts'

/** An operand of a derived value: the value of the same gold row in another column. */
interface Operand {
  readonly column: string
  readonly value: number
}

/**
 * How a value is derived. It is computed from other columns of its row, or as growth from a prior period
 * in the same table row.
 */
type Derivation =
  | { readonly kind: 'operands'; readonly operands: readonly Operand[] }
  | {
      readonly kind: 'growth'
      readonly current: Operand
      readonly percent: number
      readonly tolerance: number
    }

/** Column names by the quantity they contain. Names are compared without brackets, punctuation and case. */
const concepts = {
  revenue: /^(?:total |net |operating )*(?:revenues?|sales)$|^营业总?收入$/,
  netProfit: /^net (?:income|profit|earnings)(?: loss)?$|^净利润$/,
  assets: /^total assets$|^(?:资产总额|总资产|资产总计|资产合计)$/,
  liabilities: /^(?:total )?liabilities$|^(?:负债总额|总负债|负债合计)$/,
  equity:
    /^(?:total )?(?:stockholders|shareholders|owners)? ?s? ?equity$|^(?:所有者权益|股东权益|净资产)(?:合计)?$/,
  shares: /^(?:share capital|shares outstanding|total shares)$|^(?:股本|总股本)$/,
  operatingCash:
    /^(?:net cash (?:provided by|from|flows? from) operating activities|operating cash flow)(?: |$)|^经营活动(?:产生的)?现金流量?净额$/,
} as const
type Concept = keyof typeof concepts

type DerivationRule =
  | { readonly column: RegExp; readonly by: 'quotient'; readonly of: readonly [Concept, Concept] }
  | { readonly column: RegExp; readonly by: 'difference'; readonly of: readonly [Concept, Concept] }
  | { readonly column: RegExp; readonly by: 'growth'; readonly of: readonly [Concept] }

/**
 * The operands of each derived column that AOE and similar benchmarks ask for.
 */
const rules: readonly DerivationRule[] = [
  {
    column: /^net (?:profit|income) margin$|^(?:销售)?净利润?率$/,
    by: 'quotient',
    of: ['netProfit', 'revenue'],
  },
  {
    column: /^(?:debt|liabilit(?:y|ies)) to assets? ratio$|^资产负债率$/,
    by: 'quotient',
    of: ['liabilities', 'assets'],
  },
  { column: /^debt to equity ratio$|^产权比率$/, by: 'quotient', of: ['liabilities', 'equity'] },
  { column: /^net cash ratio$|^净现比$/, by: 'quotient', of: ['operatingCash', 'netProfit'] },
  {
    column: /^(?:net assets?|equity|book value) per share$|^每股净资产$/,
    by: 'quotient',
    of: ['equity', 'shares'],
  },
  { column: /^net (?:profit|income) per share$|^每股净利润$/, by: 'quotient', of: ['netProfit', 'shares'] },
  { column: /^return on equity$|^净资产收益率$/, by: 'quotient', of: ['netProfit', 'equity'] },
  {
    column: /^return on assets$|^(?:总)?资产(?:收益率|净利率)$/,
    by: 'quotient',
    of: ['netProfit', 'assets'],
  },
  { column: /^asset turnover(?: ratio)?$|^总?资产周转率$/, by: 'quotient', of: ['revenue', 'assets'] },
  { column: concepts.liabilities, by: 'difference', of: ['assets', 'equity'] },
  { column: concepts.equity, by: 'difference', of: ['assets', 'liabilities'] },
  { column: /^revenue growth(?: rate)?$|^营业收入增长率$/, by: 'growth', of: ['revenue'] },
  { column: /^net (?:profit|income) growth(?: rate)?$|^净利润增长率$/, by: 'growth', of: ['netProfit'] },
  {
    column: /^(?:total )?assets? growth(?: rate)?$|^(?:资产总额|总资产)增长率$/,
    by: 'growth',
    of: ['assets'],
  },
  {
    column: /^operating cash flow growth(?: rate)?$|^经营(?:活动)?现金流(?:量净额)?增长率$/,
    by: 'growth',
    of: ['operatingCash'],
  },
]

function normaliseColumnName(column: string): string {
  return column
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function findOperand(concept: Concept, row: GoldRow): Operand | null {
  for (const [column, cell] of Object.entries(row)) {
    const value = concepts[concept].test(normaliseColumnName(column)) ? readPrintedNumber(cell) : null
    if (value !== null) return { column, value: value.value }
  }
  return null
}

/** Whether the computed value equals the gold value to the last digit that the gold prints. */
function agrees(computed: number, gold: number, tolerance: number): boolean {
  return Math.abs(computed - gold) <= tolerance * (1 + 1e-6)
}

const totalColumn = /\b(?:total|sum|combined|aggregate|overall)\b|合计|总计|总和/
const ratioColumn = /\b(?:ratio|share|margin|proportion)\b|率|比$|占比/
/** A shorter quotient may agree by chance. */
const leastDigitsOfQuotient = 3

/**
 * Finds the two columns of which a total is the sum, or a ratio the quotient, by the name of its column. Null unless exactly
 * one pair agrees, because the operands are not guessed.
 */
function findNamedOperands(column: string, gold: PrintedNumber, row: GoldRow): Operand[] | null {
  const name = column.normalize('NFKC').toLowerCase()
  const [isTotal, isRatio] = [totalColumn.test(name), ratioColumn.test(name)]
  if (!(isTotal || isRatio) || countSignificantDigits(gold.value) < leastDigitsOfQuotient) return null
  const operands = Object.entries(row).flatMap(([other, cell]) => {
    const number = other === column ? null : readPrintedNumber(cell)
    return number === null || number.value === 0 ? [] : [{ column: other, value: number.value }]
  })
  const pairs = operands.flatMap((first, at) =>
    operands.flatMap((second, otherAt) => {
      if (at === otherAt) return []
      const quotient = first.value / second.value
      const results = [
        ...(isTotal && at < otherAt ? [first.value + second.value] : []),
        ...(isRatio ? [quotient, 100 * quotient] : []),
      ]
      return results.some(result => agrees(result, gold.value, gold.tolerance)) ? [[first, second]] : []
    }),
  )
  return pairs.length === 1 ? pairs[0]! : null
}

/**
 * Finds how a gold value is derived from the other values of its row: by the built-in table of rules, or as the total or ratio
 * that its column names.
 *
 * @returns null when no rule applies, or when the computed value differs from the digits that the gold prints
 */
export function findDerivation(column: string, value: GoldValue, row: GoldRow): Derivation | null {
  const gold = readPrintedNumber(value)
  if (gold === null) return null
  const name = normaliseColumnName(column)
  for (const rule of rules) {
    if (!rule.column.test(name)) continue
    const operands = rule.of.map(concept => findOperand(concept, row))
    const [first, second] = operands
    if (first === null || first === undefined) continue
    if (rule.by === 'growth') {
      return { kind: 'growth', current: first, percent: gold.value, tolerance: gold.tolerance }
    }
    if (second === null || second === undefined) continue
    const results =
      rule.by === 'difference'
        ? [first.value - second.value]
        : [first.value / second.value, (100 * first.value) / second.value]
    if (results.some(result => agrees(result, gold.value, gold.tolerance))) {
      return { kind: 'operands', operands: [first, second] }
    }
  }
  const operands = findNamedOperands(column, gold, row)
  return operands === null ? null : { kind: 'operands', operands }
}
