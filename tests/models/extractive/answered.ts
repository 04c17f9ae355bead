import { parse } from 'csv-parse/sync'
import { writeAnswer } from '../../../src/models/extractive/extractive-source.ts'

/** Returns the rows of the table in the answer to a question about documents. The text 'null' becomes null. */
export function answered(
  query: string,
  ...texts: readonly (readonly [name: string, text: string])[]
): Record<string, string | null>[] {
  const { text: answer } = writeAnswer(
    query,
    texts.map(([name, text]) => ({ name, text })),
  )
  const csv = /```csv\n([\s\S]*)\n```/.exec(answer)![1]!
  return parse(csv, { columns: true, cast: value => (value === 'null' ? null : value) })
}
