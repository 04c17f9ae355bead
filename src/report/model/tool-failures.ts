import { armKey } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import type { ToolKind } from '../../core/usage.ts'
import { compareArms, groupBy } from './entries.ts'
import type { ToolFailureRow } from './report-rows.ts'

/** Counts failed tool calls for each arm and kind of tool. Attempts without calls have none. */
export function toolFailureRows(attempts: readonly Attempt[]): ToolFailureRow[] {
  const arms = groupBy(attempts, armKey)
  return [...arms.values()]
    .sort(([a], [b]) => compareArms(a!, b!))
    .flatMap(own => [...rowOf(own, 'search'), ...rowOf(own, 'fetch')])
}

function rowOf(attempts: readonly Attempt[], tool: ToolKind): ToolFailureRow[] {
  const counted = attempts.flatMap(attempt => attempt.toolFailures?.[tool] ?? [])
  const calls = counted.reduce((sum, one) => sum + one.calls, 0)
  if (calls === 0) return []
  const byClass = new Map<string, number>()
  for (const [name, n] of counted.flatMap(one => Object.entries(one.failed)))
    byClass.set(name, (byClass.get(name) ?? 0) + n)
  const failed = [...byClass.values()].reduce((sum, n) => sum + n, 0)
  const { setting, model, options } = attempts[0]!
  const classes = Object.fromEntries([...byClass].sort((a, b) => b[1] - a[1]))
  return [{ setting, model, options, tool, calls, failed, share: failed / calls, classes }]
}
