import { builtInPricesNote } from '../../models/known-models.ts'
import { formatDollars as dollarsText } from '../../report/tables/value-text.ts'
import type { Estimate } from './estimate.ts'
import { listPowerLines } from './power-estimate.ts'
import type { Spending } from './spending.ts'

/** Formats an estimate as lines of text. */
export function estimateLines(estimate: Estimate): string[] {
  const rows = [...estimate.rows, ...estimate.checkpoints].map(row => [
    row.agent === null ? row.setting : `${row.setting} agent=${row.agent}`,
    row.model,
    String(row.attempts),
    ...listCells(row.atMost, 'no bound'),
    ...listCells(row.typical, 'unknown'),
  ])
  const total = [
    'all',
    '',
    String(estimate.attempts),
    ...listCells(estimate.atMost, 'no bound'),
    ...listCells(estimate.typical, 'unknown'),
  ]
  const head = ['setting', 'model', 'attempts', 'tokens', 'searches', 'US$', 'tokens', 'searches', 'US$']
  const table = [head, ...rows, total]
  const widths = head.map((_, at) => Math.max(...table.map(line => line[at]?.length ?? 0)))
  const aligned = table.map(line =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const note = estimate.builtInPrices ? [builtInPricesNote()] : []
  return [
    'No model was called and nothing was spent. The first three figures are the most that the caps allow, the last three are typical. The judge is not included.',
    ...aligned,
    ...listPowerLines(estimate.power),
    ...(estimate.checkpoints.length === 0
      ? []
      : [
          'checkpoints: answers on copies of the conversations (checkpointTokens). The row counts answers, not attempts.',
        ]),
    ...(estimate.goalReading
      ? [
          'goal reading: the most that the caps allow includes the requests that read pages, at the price of the dearer model. The typical figures do not include them.',
        ]
      : []),
    ...note,
    ...estimate.unusedPrices,
  ]
}

function listCells({ tokens, searchCalls, usd }: Spending, unbounded: string): string[] {
  const count = (value: number | null) => (value === null ? unbounded : value.toLocaleString('en-US'))
  return [count(tokens), count(searchCalls), usd === null ? 'unknown' : dollarsText(usd)]
}
