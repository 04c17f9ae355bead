import { describe, expect, it } from 'vitest'
import { answerForGoal, verifyQuotes } from '../../tools/goal-reading.ts'
import type { GoalReader, ToolArtifact } from '../../tools/tool.ts'

const text = [
  'URL: https://a.example/r.pdf\nPages 3-4 of 9',
  '--- page 3 ---\nItem\t2023\t2022\nTotal revenues\t5,048.4\t4,668.0',
  '--- page 4 (read by OCR) ---\nThe average number of\nemployees was 63,000.',
].join('\n\n')
const body = {
  kind: 'body' as const,
  url: 'https://a.example/r.pdf',
  finalUrl: 'https://a.example/r.pdf',
  sha256: 'a',
  contentType: 'application/pdf',
  bytes: 1,
  textSha256: 'b',
  shown: [3, 4],
  total: 9,
  links: [],
}
const artifact: ToolArtifact = { truncated: true, observations: [body] }
const readBy = async (reader: GoalReader | undefined, goal: string | null = 'employees') =>
  await answerForGoal({ goal, url: body.url }, { ...(reader && { goalReader: reader }) }, async () => [
    text,
    artifact,
  ])

describe('a page that is read for a goal', () => {
  it('is answered with the summary, the verbatim quotes and their pages', async () => {
    const [shown, seen] = await readBy(async ({ goal }) => ({
      answer: `About ${goal}: 63,000.\n> The average number of employees was 63,000.\n> "employees was 63,000"\n> employees: 64,000`,
    }))
    expect(shown).toBe(
      [
        'URL: https://a.example/r.pdf\nPages 3-4 of 9',
        'Goal: employees',
        'About employees: 63,000.',
        'Quotes:\n> [4] The average number of employees was 63,000.\n> [4] "employees was 63,000"',
        '[1 quote left out: not in the text]',
        '[This is an extract for the goal. Call the tool without goal to read the text itself.]',
      ].join('\n\n'),
    )
    expect(seen.observations).toEqual([{ ...body, shown: [4] }])
  })

  it('counts as not shown when no quote is verbatim', async () => {
    const [shown, seen] = await readBy(async () => ({ answer: 'Nothing found.' }))
    expect(shown).toContain('Nothing found.')
    expect(seen.observations).toEqual([{ ...body, shown: [] }])
  })

  it('is shown itself when the reader fails, and without a goal', async () => {
    const [shown, seen] = await readBy(async () => ({ problem: 'The reader failed (timeout).' }))
    expect(shown).toBe(
      `[The page was not read for the goal: The reader failed (timeout). The page follows.]\n\n${text}`,
    )
    expect(seen).toBe(artifact)
    expect(await readBy(async () => ({ answer: 'x' }), null)).toEqual([text, artifact])
    expect(await readBy(undefined)).toEqual([text, artifact])
  })

  it('accepts quotes whatever their white space and cell marks', () => {
    const { quotes, dropped } = verifyQuotes('> | Total  revenues | 5,048.4 | 4,668.0 |\n>\n> ……', text)
    expect(quotes).toEqual([{ text: '| Total  revenues | 5,048.4 | 4,668.0 |', page: 3 }])
    expect(dropped).toBe(1)
  })
})
