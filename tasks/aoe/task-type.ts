/** Matches the task number at the end of an id, before the language: `financial_10q-all_4_en`. */
const taskNumber = /_(\d+)(?:_(?:zh|en|cn|ch))?$/i

/** Returns the type of a task, such as `financial_4`; the domain when the id has no task number. */
export function taskTypeOf({ taskId, domain }: { readonly taskId: string; readonly domain: string }): string {
  const number = taskNumber.exec(taskId)?.[1]
  return number === undefined ? domain : `${domain}_${number}`
}
