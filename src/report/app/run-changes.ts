import { isRight } from '../model/metrics.ts'
import type { PageArm, PageData, RunFacts } from '../page/page-data.ts'
import { unknown } from '../tables/value-text.ts'
import { arrangeMatrix } from './matrix-cells.ts'

/** Two arms that are compared task by task, as indexes of arms. */
export interface ComparedPair {
  readonly before: number
  readonly after: number
}

/** How a task changed between the arms of a pair. */
export interface TaskChange extends ComparedPair {
  /** The index of the task. */
  readonly task: number
  readonly valueBefore: number
  readonly valueAfter: number
  /** Whether the task is right in one arm only, and in which. */
  readonly flip: 'gained' | 'lost' | null
}

/**
 * Pairs the arms of the first run with those of each other run: the same arm, else arms of one setting in their order. Arms
 * without a partner are left out. Within one run, pairs each arm with its baseline.
 */
export function pairArms({ arms, runs, results }: PageData): ComparedPair[] {
  if (runs.length === 1)
    return results.flatMap(({ arm, difference }) =>
      difference === null || difference === 'baseline' ? [] : [{ before: difference.from, after: arm }],
    )
  const listArms = (run: number, setting: string): number[] =>
    arms.flatMap((arm, at) => (arm.run === run && arm.setting === setting ? [at] : []))
  const settings = [...new Set(arms.map(({ setting }) => setting))]
  return settings.flatMap(setting =>
    runs.slice(1).flatMap((_, at) => {
      const [firsts, partners] = [0, at + 1].map(run => listArms(run, setting)) as [number[], number[]]
      const same = firsts.flatMap(before => {
        const after = partners.find(arm => isSameInRuns(arms[before]!, arms[arm]!))
        return after === undefined ? [] : [{ before, after }]
      })
      const [left, right] = [
        firsts.filter(arm => same.every(({ before }) => before !== arm)),
        partners.filter(arm => same.every(({ after }) => after !== arm)),
      ]
      return [
        ...same,
        ...left.flatMap((before, place) =>
          right[place] === undefined ? [] : [{ before, after: right[place] }],
        ),
      ]
    }),
  )
}

/** Whether an arm was made in two runs. Its option `run` names the run. */
function isSameInRuns(a: PageArm, b: PageArm): boolean {
  const optionsOf = ({ options: { run: _run, ...options } }: PageArm): string =>
    JSON.stringify(Object.entries(options).sort())
  return a.model === b.model && a.agent === b.agent && optionsOf(a) === optionsOf(b)
}

/**
 * Lists how the tasks changed between the arms of each pair, by the primary metric: tasks whose result flipped first, then
 * the largest changes. Tasks that are not scored in both arms, and those without a change, are left out.
 */
export function listChanges(data: PageData): TaskChange[] {
  const [metric] = data.metrics
  if (metric === undefined) return []
  const rows = arrangeMatrix(data, metric)
  const changes = pairArms(data).flatMap(pair =>
    rows.flatMap((row, task): TaskChange[] => {
      const [before, after] = [row[pair.before], row[pair.after]]
      const [valueBefore, valueAfter] = [before?.value ?? null, after?.value ?? null]
      if (valueBefore === null || valueAfter === null || valueBefore === valueAfter) return []
      const [wasRight, isRightNow] = [before, after].map(cell => isRight(cell?.goodness ?? null))
      const flip = wasRight === isRightNow ? null : isRightNow === true ? 'gained' : 'lost'
      return [{ ...pair, task, valueBefore, valueAfter, flip }]
    }),
  )
  const size = ({ valueBefore, valueAfter }: TaskChange): number => Math.abs(valueAfter - valueBefore)
  return changes.toSorted(
    (a, b) => Number(a.flip === null) - Number(b.flip === null) || size(b) - size(a) || a.task - b.task,
  )
}

interface OptionRow {
  readonly name: string
  /** By run. */
  readonly values: readonly string[]
  readonly differs: boolean
}

/** Puts the options of runs beside each other. An option that a run does not have is unknown there. */
export function compareOptions(runs: readonly RunFacts[]): OptionRow[] {
  const maps = runs.map(({ options = [] }) => new Map(options))
  const names = [...new Set(maps.flatMap(map => [...map.keys()]))]
  return names.map(name => {
    const values = maps.map(map => map.get(name) ?? unknown)
    return { name, values, differs: new Set(values).size > 1 }
  })
}
