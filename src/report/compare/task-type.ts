/** AOE's record ids end in the number of the task within its domain, and a language: `financial_10q-all_4_en`. */
const recordId = /_(\d+)(?:_(?:zh|en|cn|ch))?$/i

/** What kind of table a task asks for, such as `financial_4`; the domain where the id does not say. */
export function taskTypeOf(attempt: { readonly taskId: string; readonly domain: string }): string {
  const number = recordId.exec(attempt.taskId)?.[1]
  return number === undefined ? attempt.domain : `${attempt.domain}_${number}`
}
