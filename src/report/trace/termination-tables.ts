import { isSameArm } from '../../core/arm.ts'
import { makeTable, type Table } from '../../core/table.ts'
import { joinToOneLine } from '../../text/plain-text.ts'
import { labelArm, nameModels } from '../model/arm-names.ts'
import { nameAllScorings } from '../model/scorings.ts'
import { makeModelColumn, makeSettingColumn, sortForReading } from '../tables/columns.ts'
import { fitWidth } from '../tables/display-width.ts'
import {
  endColumns,
  endMeanColumns,
  makeTerminationTable,
  writeCompletedRemark,
} from '../tables/end-tables.ts'
import { formatCompactCount, formatDollars, formatPercent, formatSeconds } from '../tables/value-text.ts'
import type { ArmFailures, TerminationReport } from './terminations.ts'

/** How many details the table lists, and how wide a detail is. `--json` has all of them in full. */
const maxDetails = 20
const detailColumns = 100

/** How many loops the table lists. `--json` lists all of them. */
const maxLoops = 20

function makeOutcomeTable(report: TerminationReport): Table {
  const attempts = report.attempts === 1 ? '1 attempt' : `${report.attempts} attempts`
  const title = `Run ${report.run}: why ${attempts} ended ${nameAllScorings(report.ends)}`
  return { ...makeTerminationTable(report), title, remarks: listFailureRemarks(report) }
}

function listFailureRemarks(report: TerminationReport): string[] {
  // Without gold, wrong answers cannot be distinguished from right ones.
  const isScored = report.ends.some(row => row.scorer !== 'none')
  const models = nameModels(report.arms)
  const skipped = report.skippedTasks
  return [
    writeCompletedRemark(isScored),
    ...report.arms.flatMap(arm => listArmRemarks(arm, labelArm(arm, models), isScored)),
    ...(skipped === 0 ? [] : [`Tasks that could not be read and are not counted here: ${skipped}.`]),
  ]
}

/** Says how many attempts of one arm failed and why. Arms are never pooled, because they fail for different reasons. */
function listArmRemarks(arm: ArmFailures, name: string, isScored: boolean): string[] {
  const { attempts, failures, costOfFailures: cost, answeredButWrong: wrong } = arm
  const worst = wrong.passedWithoutCorrectCell
  const empty = worst === 0 ? '' : ` Completed attempts with the worst possible score: ${worst}.`
  if (failures === 0) return [`${name}: none of the ${attempts} attempts failed.${empty}`]
  const part = (text: string, share: number | null): string =>
    share === null ? text : `${text} (${formatPercent(share)}% of all)`
  const spent = [
    cost.tokens === null
      ? 'tokens unknown'
      : part(`${formatCompactCount(cost.tokens)} tokens`, cost.shareOfTokens),
    cost.usd === null ? 'US$ unknown' : part(`US$ ${formatDollars(cost.usd)}`, cost.shareOfUsd),
    cost.wallMs === null ? 'time unknown' : part(`${formatSeconds(cost.wallMs)} s`, cost.shareOfWallMs),
  ]
  const answered = isScored
    ? `; ${wrong.n} (${formatPercent(wrong.shareOfFailures)}%) ended with an answer that could not be read`
    : ''
  return [
    `${name}: ${failures} of ${attempts} attempts failed. A budget ended ${formatPercent(arm.resourceShareOfFailures)}% of them${answered}. They used ${spent.join(', ')}.${empty}`,
  ]
}

function makeDomainTable(report: TerminationReport): Table {
  return makeTable({
    title: `By domain ${nameAllScorings(report.ends)}`,
    rows: sortForReading(report.reasons.filter(row => row.domain !== 'all')),
    columns: column => [
      column('domain', 'text', row => row.domain),
      ...endColumns(),
      column('n', 'count', row => row.n),
      column('share', 'share', row => row.share),
      column('completed', 'count', row => row.passed),
      column('failed', 'count', row => row.n - row.passed),
      ...endMeanColumns(report.ends, report.scorers),
    ],
  })
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

function nameBand([from, to]: readonly [number, number]): string {
  if (to === Number.POSITIVE_INFINITY) return `${from}+`
  return from === to ? String(from) : `${from}–${to}`
}

function stepTable(report: TerminationReport): Table {
  const isIn = (step: number, [from, to]: readonly [number, number]): boolean => step >= from && step <= to
  const shown = bands.filter(band => report.steps.some(row => isIn(row.step, band)))
  return makeTable({
    title: 'By the step at which attempts ended',
    rows: report.ends.map(end => ({
      ...end,
      steps: report.steps.filter(
        row => isSameArm(row, end) && row.cause === end.cause && row.reason === end.reason,
      ),
    })),
    columns: column => [
      ...endColumns(),
      ...shown.map(band =>
        column(nameBand(band), 'count', ({ steps }) => {
          const n = steps.filter(row => isIn(row.step, band)).reduce((sum, row) => sum + row.n, 0)
          return n === 0 ? '' : n
        }),
      ),
    ],
    remarks: ['Attempts by their last successful model turn. 0: no turn succeeded.'],
  })
}

function makeDetailTable({ details }: TerminationReport): Table {
  const rest = details.length - maxDetails
  return makeTable({
    title: 'What failed attempts reported',
    rows: details.slice(0, maxDetails),
    columns: column => [
      ...endColumns(),
      column('n', 'count', row => row.n),
      column('detail', 'text', row => fitWidth(joinToOneLine(row.detail), detailColumns)),
    ],
    remarks: rest > 0 ? [`--json lists ${rest} more.`] : [],
  })
}

function makeLastStepTable({ lastSteps }: TerminationReport): Table {
  return makeTable({
    title: 'Actions in the last ten steps',
    rows: lastSteps,
    columns: column => [
      makeSettingColumn(),
      makeModelColumn(),
      column('outcome', 'text', ({ outcome }) => (outcome === 'passed' ? 'completed' : outcome)),
      column('action', 'text', row => row.action),
      column('n', 'count', row => row.n),
      column('share', 'share', row => row.share),
    ],
  })
}

function makeLoopTable({ loops }: TerminationReport): Table {
  const rest = loops.length - maxLoops
  return makeTable({
    title: `Loops without progress: ${loops.length}`,
    rows: loops.slice(0, maxLoops),
    columns: column => [
      column('attempt', 'text', loop => loop.attemptId),
      column('kind', 'text', loop => loop.kind),
      column('call', 'text', loop => loop.what),
      column('times', 'count', loop => loop.times),
      column('steps', 'range', ({ firstStep, lastStep }) => [firstStep, lastStep]),
    ],
    remarks: rest > 0 ? [`--json lists ${rest} more.`] : [],
  })
}

/** Returns the tables of `logs termination`, in reading order. */
export function makeTerminationTables(report: TerminationReport): Table[] {
  const tables = [
    makeOutcomeTable,
    makeDetailTable,
    makeDomainTable,
    stepTable,
    makeLastStepTable,
    makeLoopTable,
  ]
  return tables.map(make => make(report)).filter(table => table.rows.length > 0)
}
