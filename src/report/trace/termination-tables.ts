import type { ArmOptions } from '../../core/arm.ts'
import { oneLine } from '../../text/plain-text.ts'
import { armLabel, type ModelNaming, modelNaming, settingLabel } from '../model/arm-names.ts'
import { allScorings } from '../model/scorings.ts'
import { fitWidth } from '../tables/display-width.ts'
import { modelCell, modelColumn } from '../tables/group-columns.ts'
import { headOf } from '../tables/metric-text.ts'
import { compactCount, dollars, percent, seconds } from '../tables/numbers.ts'
import { type Column, left, type ReportTable, readingOrder, right } from '../tables/report-table.ts'
import { completedRemark, endMeanText, primariesOf, terminationTable } from '../tables/termination-table.ts'
import type { ArmFailures, TerminationReport } from './terminations.ts'

/** How many details the table lists, and how wide a detail is. `--json` has all of them in full. */
const maxDetails = 20
const detailColumns = 100

/** How many loops the table lists. `--json` lists all of them. */
const maxLoops = 20

/** The parts of a row that its first columns show. */
interface Labelled {
  readonly setting: string
  readonly model: string
  readonly options: ArmOptions
  readonly cause: string
  readonly reason: string
}

function labelColumns(models: ModelNaming): Column[] {
  return [left('setting'), ...modelColumn(models), left('cause'), left('reason')]
}

function labelCells(row: Labelled, models: ModelNaming): string[] {
  return [settingLabel(row), ...modelCell(row.model, models), row.cause, row.reason]
}

function outcomeTable(report: TerminationReport): ReportTable {
  const attempts = report.attempts === 1 ? '1 attempt' : `${report.attempts} attempts`
  const title = `Run ${report.run}: why ${attempts} ended ${allScorings(report.ends)}`
  return { ...terminationTable(report), title, remarks: failureRemarks(report) }
}

function failureRemarks(report: TerminationReport): string[] {
  // Without gold, wrong answers cannot be distinguished from right ones.
  const isScored = report.ends.some(row => row.scorer !== 'none')
  const models = modelNaming(report.arms)
  const skipped = report.skippedTasks
  return [
    completedRemark(isScored),
    ...report.arms.flatMap(arm => armRemarks(arm, armLabel(arm, models), isScored)),
    ...(skipped === 0 ? [] : [`Tasks that could not be read and are not counted here: ${skipped}.`]),
  ]
}

/** Says how many attempts of one arm failed and why. Arms are never pooled, because they fail for different reasons. */
function armRemarks(arm: ArmFailures, name: string, isScored: boolean): string[] {
  const { attempts, failures, costOfFailures: cost, answeredButWrong: wrong } = arm
  const worst = wrong.passedWithoutCorrectCell
  const empty = worst === 0 ? '' : ` Completed attempts with the worst possible score: ${worst}.`
  if (failures === 0) return [`${name}: none of the ${attempts} attempts failed.${empty}`]
  const part = (text: string, share: number | null): string =>
    share === null ? text : `${text} (${percent(share)}% of all)`
  const spent = [
    cost.tokens === null ? 'tokens unknown' : part(`${compactCount(cost.tokens)} tokens`, cost.shareOfTokens),
    cost.usd === null ? 'US$ unknown' : part(`US$ ${dollars(cost.usd)}`, cost.shareOfUsd),
    cost.wallMs === null ? 'time unknown' : part(`${seconds(cost.wallMs)} s`, cost.shareOfWallMs),
  ]
  const answered = isScored
    ? `; ${wrong.n} (${percent(wrong.shareOfFailures)}%) ended with an answer that could not be read`
    : ''
  return [
    `${name}: ${failures} of ${attempts} attempts failed. A budget ended ${percent(arm.resourceShareOfFailures)}% of them${answered}. They used ${spent.join(', ')}.${empty}`,
  ]
}

function domainTable(report: TerminationReport): ReportTable {
  const rows = report.reasons.filter(row => row.domain !== 'all')
  const primaries = primariesOf(report.ends, report.scorers)
  const models = modelNaming(report.ends)
  return {
    title: `By domain ${allScorings(report.ends)}`,
    columns: [
      left('domain'),
      ...labelColumns(models),
      ...['n', 'share', 'completed', 'failed'].map(right),
      ...primaries.map(metric => right(headOf(metric))),
    ],
    rows: readingOrder(rows).map(row => [
      row.domain,
      ...labelCells(row, models),
      String(row.n),
      percent(row.share),
      String(row.passed),
      String(row.n - row.passed),
      ...primaries.map(metric => endMeanText(metric, row)),
    ]),
    remarks: [],
  }
}

/** The first and the last step of each column. */
const bands: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 1],
  [2, 5],
  [6, 10],
  [11, 20],
  [21, 50],
  [51, 100],
  [101, Number.POSITIVE_INFINITY],
]

function bandName([from, to]: readonly [number, number]): string {
  if (to === Number.POSITIVE_INFINITY) return `${from}+`
  return from === to ? String(from) : `${from}–${to}`
}

function stepTable(report: TerminationReport): ReportTable {
  const isIn = (step: number, [from, to]: readonly [number, number]): boolean => step >= from && step <= to
  const models = modelNaming(report.ends)
  const shown = bands.filter(band => report.steps.some(row => isIn(row.step, band)))
  return {
    title: 'By the step at which attempts ended',
    columns: [...labelColumns(models), ...shown.map(band => right(bandName(band)))],
    rows: report.ends.map(end => {
      const own = report.steps.filter(
        row => labelCells(row, models).join() === labelCells(end, models).join() && row.model === end.model,
      )
      const counts = shown.map(band =>
        own.filter(row => isIn(row.step, band)).reduce((sum, row) => sum + row.n, 0),
      )
      return [...labelCells(end, models), ...counts.map(n => (n === 0 ? '' : String(n)))]
    }),
    remarks: ['Attempts by their last successful model turn. 0: no turn succeeded.'],
  }
}

function detailTable(report: TerminationReport): ReportTable {
  const models = modelNaming(report.ends)
  const rest = report.details.length - maxDetails
  return {
    title: 'What failed attempts reported',
    columns: [...labelColumns(models), right('n'), left('detail')],
    rows: report.details
      .slice(0, maxDetails)
      .map(row => [...labelCells(row, models), String(row.n), fitWidth(oneLine(row.detail), detailColumns)]),
    remarks: rest > 0 ? [`--json lists ${rest} more.`] : [],
  }
}

function lastStepTable(report: TerminationReport): ReportTable {
  const models = modelNaming(report.ends)
  return {
    title: 'Actions in the last ten steps',
    columns: [
      left('setting'),
      ...modelColumn(models),
      ...[left('outcome'), left('action')],
      ...[right('n'), right('share')],
    ],
    rows: report.lastSteps.map(row => [
      settingLabel(row),
      ...modelCell(row.model, models),
      row.outcome === 'passed' ? 'completed' : row.outcome,
      row.action,
      String(row.n),
      percent(row.share),
    ]),
    remarks: [],
  }
}

function loopTable(report: TerminationReport): ReportTable {
  const rest = report.loops.length - maxLoops
  return {
    title: `Loops without progress: ${report.loops.length}`,
    columns: [left('attempt'), left('kind'), left('call'), right('times'), right('steps')],
    rows: report.loops
      .slice(0, maxLoops)
      .map(loop => [
        loop.attemptId,
        loop.kind,
        loop.what,
        String(loop.times),
        `${loop.firstStep}–${loop.lastStep}`,
      ]),
    remarks: rest > 0 ? [`--json lists ${rest} more.`] : [],
  }
}

/** Returns the tables of `logs termination`, in reading order. */
export function terminationTables(report: TerminationReport): ReportTable[] {
  const tables = [outcomeTable, detailTable, domainTable, stepTable, lastStepTable, loopTable]
  return tables.map(make => make(report)).filter(table => table.rows.length > 0)
}
