import { minComponents } from '../../score/statistics/intervals.ts'

/** Says why rows over few groups of tasks have no interval and no p-value. Empty when every row has enough groups. */
export function fewGroupsRemark(rows: readonly { readonly components: number }[]): string[] {
  const few = rows.filter(({ components }) => components > 0 && components < minComponents).length
  if (few === 0) return []
  const which = few === rows.length ? '' : ` for ${few} of ${rows.length} numbers`
  return [`No interval and no p${which}, because there are fewer than ${minComponents} groups of tasks.`]
}

/** Writes how many tasks and groups a number is based on: `n=28 tasks in 11 groups`. */
export function sampleText(tasks: number, components: number): string {
  return `n=${tasks} ${tasks === 1 ? 'task' : 'tasks'} in ${components} ${components === 1 ? 'group' : 'groups'}`
}
