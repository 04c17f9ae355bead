import { compactCount, dollars, percent, seconds } from './numbers.ts'
import { domainName, left, type ReportTable, right } from './report-table.ts'
import type { TerminationReport } from './terminations.ts'

/** Loops beyond these are counted in the remark; `--json` has all. */
const loopsShown = 20

function reasonTable(report: TerminationReport): ReportTable {
  return {
    title: `Run ${report.run}: why ${report.attempts} attempts ended, by outcome`,
    columns: [
      left('setting'),
      left('domain'),
      left('cause'),
      left('reason'),
      right('n'),
      right('share'),
      right('passed'),
      right('failed'),
      right('cell F1'),
      right('last step'),
    ],
    rows: report.reasons.map(row => [
      row.setting,
      domainName(row.domain),
      row.cause,
      row.reason,
      String(row.n),
      percent(row.share),
      String(row.passed),
      String(row.n - row.passed),
      percent(row.meanCellF1),
      String(row.medianLastStep),
    ]),
    remarks: failureRemarks(report),
  }
}

function failureRemarks(report: TerminationReport): string[] {
  const { failures, costOfFailures: cost, answeredButWrong: wrong } = report
  return [
    'passed: a table could be read. last step: the median of the last model turn that ended well.',
    `${failures} of ${report.attempts} attempts failed; exhausted resources: ${percent(report.resourceShareOfFailures)}% of the failures; ended with an answer of their own: ${wrong.n} (${percent(wrong.shareOfFailures)}%). ${wrong.passedWithoutCorrectCell} passed attempts have no correct cell.`,
    `The failures took ${compactCount(cost.tokens)} tokens (${percent(cost.shareOfTokens)}% of all), US$ ${dollars(cost.usd)} (${percent(cost.shareOfUsd)}%), ${seconds(cost.wallMs)} s (${percent(cost.shareOfWallMs)}%).`,
  ]
}

function lastStepTable(report: TerminationReport): ReportTable {
  return {
    title: 'What the last ten steps did',
    columns: [left('setting'), left('outcome'), left('action'), right('n'), right('share')],
    rows: report.lastSteps.map(row => [
      row.setting,
      row.outcome,
      row.action,
      String(row.n),
      percent(row.share),
    ]),
    remarks: [],
  }
}

function loopTable(report: TerminationReport): ReportTable {
  const rest = report.loops.length - loopsShown
  return {
    title: `Loops without progress: ${report.loops.length}`,
    columns: [left('attempt'), left('kind'), left('what'), right('times'), right('steps')],
    rows: report.loops
      .slice(0, loopsShown)
      .map(loop => [
        loop.attemptId,
        loop.kind,
        loop.what,
        String(loop.times),
        `${loop.firstStep}–${loop.lastStep}`,
      ]),
    remarks: rest > 0 ? [`${rest} more stand in --json.`] : [],
  }
}

/** The tables of `logs termination`, in reading order. */
export function terminationTables(report: TerminationReport): ReportTable[] {
  return [reasonTable(report), lastStepTable(report), loopTable(report)].filter(
    table => table.rows.length > 0,
  )
}
