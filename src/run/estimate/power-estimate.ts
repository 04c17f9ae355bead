import { listDocumentNames, type Task } from '../../core/task.ts'
import { formatDollars } from '../../report/tables/value-text.ts'
import { findTaskComponents } from '../../score/statistics/components.ts'
import { minComponents } from '../../score/statistics/intervals.ts'
import { computeDetectableErrors, countNeededComponents } from '../../score/statistics/power.ts'

/** What the whole plan would need to detect a difference between two arms. */
export interface PowerSize {
  /** In points. */
  readonly difference: number
  readonly groups: number
  readonly tasks: number
  readonly attempts: number
  /** The typical cost in US dollars. Null when it is unknown. */
  readonly usd: number | null
}

/** Which differences between two arms 80% of such runs would detect. */
export interface PowerEstimate {
  readonly tasks: number
  /** Groups of tasks that share documents. */
  readonly groups: number
  /** The assumed standard deviation of a difference between groups, in points. */
  readonly spread: number
  /** In points. Null when the run is too small for any. */
  readonly detectable: number | null
  readonly needed: readonly PowerSize[]
}

/** Without a pilot run, the spread is not known. Differences between settings often have about this one. */
const assumedSpread = 25
const plannedDifferences = [5, 10, 20]

/** Estimates what a run could detect, and what other sizes of it would need, with the arms and trials of the plan. */
export function estimatePower(
  tasks: readonly Task[],
  plan: { readonly attempts: number; readonly usd: number | null },
): PowerEstimate {
  const documents = tasks.map(task => ({ task: task.question.taskId, documents: listDocumentNames(task) }))
  const groups = new Set(findTaskComponents(documents).values()).size
  const errors = computeDetectableErrors(groups, groups - 1, 1)
  return {
    tasks: tasks.length,
    groups,
    spread: assumedSpread,
    detectable: errors === null ? null : (errors * assumedSpread) / Math.sqrt(groups),
    needed: plannedDifferences.map(difference => {
      const needed = countNeededComponents(difference, assumedSpread)
      const planned = Math.ceil((needed * tasks.length) / groups)
      return {
        difference,
        groups: needed,
        tasks: planned,
        attempts: (planned * plan.attempts) / tasks.length,
        usd: plan.usd === null ? null : (planned * plan.usd) / tasks.length,
      }
    }),
  }
}

/** Formats an estimate of what a run could detect as lines of text. */
export function listPowerLines({ tasks, groups, spread, detectable, needed }: PowerEstimate): string[] {
  if (tasks === 0) return []
  const sizes = needed.map(({ difference, groups: size, tasks: most, attempts, usd }) => {
    const cost = usd === null ? '' : `, US$ ${formatDollars(usd)}`
    return `${difference} points: ${size} groups (${most} tasks, ${attempts} attempts${cost})`
  })
  const grouped = `${tasks} tasks in ${groups} groups that share documents`
  return [
    detectable === null
      ? `Detectable: nothing, with ${grouped}. An interval or a p-value needs at least ${minComponents} groups.`
      : `Detectable: ${grouped}; 80% of such runs detect a difference of ${detectable.toFixed(1)} points between two arms, if it differs by ${spread} points (standard deviation) between groups and is the only test.`,
    `Needed for ${sizes.join('; ')}. 'tablehunt tasks stats FILE --pilot RUN' measures the spread in a run.`,
  ]
}
