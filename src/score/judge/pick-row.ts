import type { ModelJudge } from './judge.ts'
import { rowPrompt } from './prompts.ts'
import { readOutput } from './read-reply.ts'
import type { JudgeTally } from './tally.ts'

/**
 * Asks the judge which of the gold keys a key of the answer names.
 *
 * @returns `key` null: none of them; null as a whole: the judge failed
 */
export async function pickRow(
  judge: ModelJudge,
  tally: JudgeTally,
  keyColumns: readonly string[],
  key: string,
  goldKeys: readonly string[],
): Promise<{ readonly key: string | null } | null> {
  return await tally.ask(judge, {
    prompt: rowPrompt(keyColumns, key, goldKeys),
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
