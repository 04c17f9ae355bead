import type { Company } from './company.ts'

/** Returns an amount as the statements print it: in their unit, with thousands separators and negatives in brackets. */
export function printed(company: Company, grains: number): string {
  const text = inUnit(company, Math.abs(grains), company.unit.cny, company.unit.decimals)
  return grains < 0 ? (company.language === 'zh' ? `-${text}` : `(${text})`) : text
}

/** Returns an amount for prose, in millions of yuan or in 亿元. */
export function inWords(company: Company, grains: number): string {
  return company.language === 'zh'
    ? `${inUnit(company, grains, 1e8, 2)}亿元`
    : `CNY ${inUnit(company, grains, 1e6, 1)} million`
}

function inUnit(company: Company, grains: number, cny: number, decimals: number): string {
  return grouped((grains * company.grainCny) / cny, decimals)
}

/** Returns a number with thousands separators, such as `1,234.5`. */
export function grouped(value: number, decimals: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

/** Returns whole yuan with thousands separators, the form of the gold. */
export function goldMoney(company: Company, grains: number): string {
  return grouped(Math.round(grains * company.grainCny), 0)
}

/** Returns a ratio in percent with two decimals, the form of the gold and of the pages. */
export function percent(part: number, whole: number): string {
  return grouped((part / whole) * 100, 2)
}

/** Returns growth in percent with two decimals. */
export function growth(now: number, before: number): string {
  return percent(now - before, before)
}

/** Returns yuan per share with two decimals. */
export function perShare(company: Company, grains: number): string {
  return grouped((grains * company.grainCny) / company.shares, 2)
}
