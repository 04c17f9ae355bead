import { documentStem } from '../../core/document.ts'
import { readNumber } from '../../text/amounts.ts'
import { findNewestCells, readTableRows } from '../../text/table-rows.ts'
import { type DocumentTexts, labels, regex } from './labels.ts'
import type { SeenDocument } from './search.ts'

const { columns, periods, distance, derived, figures: figureRules } = labels.reports
const grouped = Object.entries(labels.reports.statements).map(([name, is]) => `(?<${name}>${is})`)
const headings = regex(`{above}(?:${grouped.join('|')})`, 'iu')
const wantedLabels = Object.values(figureRules).flatMap(([, , names]) => names)
const isWanted = regex(`^(?:${wantedLabels.join('|')})$`, 'iu')

type ReportFigures = Record<string, number>

/**
 * Returns one row for each financial report, with all columns of labels.json. `isFound` says whether any label was
 * found.
 */
export function reportsTable(query: string, documents: readonly SeenDocument[]) {
  const isChinese = /\p{Script=Han}/u.test(query)
  const currency = documents.some(({ text }) => regex('{yuan}', 'iu').test(text)) ? 'CNY' : 'USD'
  const shown = columns.filter(([, chinese]) => !isChinese || chinese !== '')
  let isFound = false
  const rows = documents.map(({ name, text }) => {
    const [stem, head] = [documentStem(name), text.slice(0, 6_000)]
    const row: Record<string, string | null> = { name, period: findPeriod({ query, stem, head }) }
    const figures = readFigures(text, regex('{quarterly}', 'iu').test(`${row.period} ${stem} ${head}`))
    isFound ||= Object.values(figures).some(Number.isFinite)
    return shown.map(([, , way]) => row[way] ?? printFigure(workOut(figures, way), way))
  })
  return { columns: shown.map(([en, zh]) => (isChinese ? zh : en.replace('$', currency))), rows, isFound }
}

function findPeriod(texts: DocumentTexts): string | null {
  const matches = periods.map(([where, pattern]) => regex(pattern, 'iu').exec(texts[where] ?? '')?.groups)
  const at = matches.findIndex(groups => groups !== undefined)
  return periods[at]?.[2].replace(/\{(\w+)\}/g, (_, name) => matches[at]?.[name] ?? '') ?? null
}

function printFigure(value: number, way: string): string | null {
  if (!Number.isFinite(value)) return null
  if (way.startsWith('money')) return Math.round(value).toLocaleString('en-US')
  return (Math.round(value * 100 * (1 + 1e-12)) / 100).toFixed(2)
}

/** Computes `WAY a b` from the figures named a and b. Returns NaN when a figure is missing. */
function workOut(figures: ReportFigures, said: string): number {
  const [way = '', first = '', second = ''] = said.split(' ')
  const [a = Number.NaN, b = Number.NaN] = [figures[first], figures[second]]
  const growth = ((a - b) / Math.abs(b)) * 100
  const results: ReportFigures = {
    less: a - b,
    mean: (a + b) / 2,
    ratio: a / b,
    percent: (a / b) * 100,
    growth,
  }
  return results[way] ?? a
}

/** Reads the figures of a report. A quarterly report has figures of the quarter, but cash flows of the year so far. */
function readFigures(text: string, isQuarter: boolean): ReportFigures {
  const rows = [...readTableRows(text, headings)].filter(({ label }) => isWanted.test(label))
  const figures: ReportFigures = {}
  for (const [name, [statement, kind, names]] of Object.entries(figureRules)) {
    const patterns = names.map(label => regex(`^(?:${label})$`, 'iu'))
    const ranks = rows.map(row => {
      const rank = patterns.findIndex(pattern => pattern.test(row.label))
      const fits = rank >= 0 && (kind === 'money' || row.cells.some(cell => /\.\d\d/.test(cell)))
      return fits ? rank + (row.heading === statement ? 0 : (distance[row.heading] ?? 40)) : 1_000
    })
    const best = rows[ranks.indexOf(Math.min(...ranks, 999))]
    if (best === undefined) continue
    const unit = kind === 'each' ? 1 : (best.unit ?? rows.find(row => row.unit !== null)?.unit ?? 1)
    // A power of ten as the unit avoids rounding errors: 5048.4 in millions is exactly 5,048,400,000.
    const readCell = (cell: string): number => Number(`${readNumber(cell)?.value}e${Math.log10(unit)}`)
    const [now, before] = findNewestCells(
      best,
      statement === 'cash' || (statement === 'income' && !isQuarter),
    )
    Object.assign(figures, { [name]: readCell(now), [`${name}:before`]: readCell(before) })
  }
  for (const [name, way] of Object.entries(derived)) figures[name] ??= workOut(figures, way)
  return figures
}
