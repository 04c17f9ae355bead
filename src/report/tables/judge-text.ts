import type { Report } from '../model/report.ts'
import { nameScoring } from '../model/scorings.ts'
import { formatPercent } from './value-text.ts'

/** Says how many judged items got different scores when a scoring was repeated. Null when it was not. */
export function formatRepeats({ stability }: Report, scoring: string): string | null {
  const row = stability.find(candidate => nameScoring(candidate) === scoring)
  if (row === undefined) return null
  const { judgedCells, flippedCells } = row
  const share = judgedCells === 0 ? '' : ` (${formatPercent(flippedCells / judgedCells)}%)`
  return `${flippedCells} of the ${judgedCells} items scored by the judge${share} got different scores in the ${row.repeats} repeats.`
}

/**
 * Adds to each scoring that a text names, such as the title of a table, how far a person agrees with the judge model that made
 * its figures. Scorings by fixed rules stay as they are.
 */
export function withAgreement({ judgeAgreements }: Pick<Report, 'judgeAgreements'>, text: string): string {
  return judgeAgreements.reduce((named, row) => {
    const { marked, agreement, low, high } = row
    const interval = low === null || high === null ? '' : ` [${formatPercent(low)}, ${formatPercent(high)}]`
    const items = `${marked} marked ${marked === 1 ? 'item' : 'items'}`
    const agreementText =
      agreement === null
        ? 'agreement not measured'
        : `agreement ${formatPercent(agreement)}%${interval} in ${items}`
    const scoring = nameScoring(row)
    // The name of a model may begin with that of another.
    return named
      .split(scoring)
      .reduce(
        (before, after) =>
          `${before}${scoring}${/^[\w.:/@+-]*\w/.test(after) ? '' : ` (${agreementText})`}${after}`,
      )
  }, text)
}
