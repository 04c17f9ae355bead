/** A record's id ends in the number of the task within its domain, and a language: `financial_10q-all_4_en`. */
const taskNumber = /_(\d+)(?:_(?:zh|en|cn|ch))?$/i

/** What type of table a task asks for, such as `financial_4`; the domain where the id does not say. */
export function taskTypeOf({ taskId, domain }: { readonly taskId: string; readonly domain: string }): string {
  const number = taskNumber.exec(taskId)?.[1]
  return number === undefined ? domain : `${domain}_${number}`
}
