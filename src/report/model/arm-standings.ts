import { isSameArm } from '../../core/arm.ts'
import { findCommonGroup, listComparedWaterfall } from './common-tasks.ts'
import type { Report } from './report.ts'
import type { GroupKey, ReportGroup } from './report-group.ts'
import type { DifferenceRow, LossClass, WaterfallRow } from './report-rows.ts'
import { nameScoring } from './scorings.ts'
import { lossClasses } from './waterfall.ts'

/** An arm among the others of its scoring: its means, its difference to the baseline, and what it lost. */
export interface ArmStanding {
  /** Over the tasks that stand side by side: those that all arms scored, or else all tasks of the arm. */
  readonly group: ReportGroup
  /** Over all tasks of the arm. */
  readonly own: ReportGroup
  /** Whether other arms are compared with it. Only forks have several baselines, one for each cause. */
  readonly isBaseline: boolean
  /** The arm minus its baseline. Null for the baseline, and without a task that both scored. */
  readonly difference: DifferenceRow | null
  /** Over the tasks of `group`. */
  readonly losses: ArmLosses
}

/** What an arm lost, as shares of the gold items. */
export interface ArmLosses {
  /** Null when unknown. */
  readonly recall: number | null
  /** The share of each class with a loss, in the order of the loss ledger. */
  readonly classes: readonly (readonly [name: LossClass, share: number])[]
}

/** Lists the arms of a scoring in the order of reports. */
export function listArmStandings(report: Report, scoring: string): ArmStanding[] {
  const differences = report.baselineDifferences.filter(row => nameScoring(row) === scoring)
  return report.groups
    .filter(group => group.domain === 'all' && nameScoring(group) === scoring)
    .map(own => ({
      own,
      group: findCommonGroup(report, own) ?? own,
      isBaseline: differences.some(({ fromArm }) => fromArm === own.arm),
      difference: differences.find(({ arm }) => arm === own.arm) ?? null,
      losses: findLosses(report, own),
    }))
}

/** Finds what an arm lost over the tasks that stand side by side. */
export function findLosses(report: Report, key: GroupKey): ArmLosses {
  const row = findWaterfall(report, key)
  if (row === undefined) return { recall: null, classes: [] }
  return {
    recall: row.recall,
    classes: lossClasses.flatMap(name => {
      const share = row.classes[name] ?? 0
      return share === 0 ? [] : [[name, share] as const]
    }),
  }
}

/** Finds the losses of an arm over the tasks that stand side by side. */
export function findWaterfall(report: Report, key: GroupKey): WaterfallRow | undefined {
  return listComparedWaterfall(report).find(
    row => isSameArm(row, key) && nameScoring(row) === nameScoring(key),
  )
}

/** Sorts the classes of lost items, the largest first. */
export function sortLosses({ classes }: ArmLosses): ArmLosses['classes'] {
  return classes.toSorted(([, a], [, b]) => b - a)
}
