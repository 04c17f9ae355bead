import type { ModelJudge } from '../contract/judge.ts'
import { writeRowPrompt } from './prompts.ts'
import { publishedOutputTokens } from './published-prompts.ts'
import { readFirstOutput, readOutput } from './read-reply.ts'
import type { JudgeTally } from './tally.ts'

/** A key of the answer and the gold keys that it may name. */
interface KeyChoice {
  readonly keyColumns: readonly string[]
  readonly key: string
  readonly goldKeys: readonly string[]
}

/**
 * Asks the judge which of the gold keys a key of the answer names.
 *
 * @returns `key` is null when none of them matches; the result is null when the judge failed
 */
export async function pickRow(
  judge: ModelJudge,
  tally: JudgeTally,
  { keyColumns, key, goldKeys }: KeyChoice,
): Promise<{ readonly key: string | null } | null> {
  const { published } = judge
  if (published !== undefined)
    return await tally.ask(judge, {
      prompt: published.row(keyColumns, key, goldKeys),
      maxOutputTokens: publishedOutputTokens.row,
      parse: text => {
        const output = readFirstOutput(text)
        // The published code matches no row when the reply is not exactly one of the keys.
        return output === null ? null : { key: goldKeys.find(goldKey => goldKey === output) ?? null }
      },
    })
  return await tally.ask(judge, {
    prompt: writeRowPrompt(keyColumns, key, goldKeys),
    maxOutputTokens: 300,
    parse: text => {
      const output = readOutput(text)
      if (output === null) return null
      const named = goldKeys.find(
        goldKey => goldKey === output || goldKey.trim() === output.replace(/^- /, ''),
      )
      if (named !== undefined) return { key: named }
      return /^none$/i.test(output) ? { key: null } : null
    },
  })
}

/** The rows of an answer that a judge is to match, and the gold rows that it may choose from. */
export interface RowsToPick {
  readonly keyColumns: readonly string[]
  /** In the order in which the judge is asked. */
  readonly rows: readonly { readonly row: number; readonly text: string }[]
  /** The gold rows that are still free, with their keys. */
  freeKeys(): readonly { readonly goldRow: number; readonly text: string }[]
  /** Matches a gold row with a row of the answer. */
  take(goldRow: number, row: number): void
}

/** What a judge matched: rows of the answer, and the number of rows on which it failed. */
export interface PickedRows {
  readonly judgedRows: ReadonlySet<number>
  readonly failedRows: number
}

/** Asks the judge for each row in turn, as long as gold rows are free. */
export async function pickRows(
  judge: ModelJudge,
  tally: JudgeTally,
  { keyColumns, rows, freeKeys, take }: RowsToPick,
): Promise<PickedRows> {
  const judgedRows = new Set<number>()
  let failedRows = 0
  for (const { row, text } of rows) {
    const keys = freeKeys()
    if (keys.length === 0) break
    const picked = await pickRow(judge, tally, { keyColumns, key: text, goldKeys: keys.map(key => key.text) })
    if (picked === null) failedRows += 1
    const match = keys.find(key => key.text === picked?.key)
    if (match === undefined) continue
    take(match.goldRow, row)
    judgedRows.add(row)
  }
  return { judgedRows, failedRows }
}
