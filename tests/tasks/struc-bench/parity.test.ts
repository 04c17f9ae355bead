import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { noJudge } from '../../../src/score/contract/judge.ts'
import { computePScore } from '../../../tasks/struc-bench/p-score-replies.ts'
import { publishedMetric } from '../../../tasks/struc-bench/published-metric.ts'

interface Case {
  readonly id: string
  readonly format: string
  readonly reference: string
  readonly prediction: string
  readonly expected: {
    readonly error?: string
    readonly content?: number
    readonly format?: number
    readonly subscores?: Readonly<Record<string, number>>
  }
}

const file = fileURLToPath(new URL('../../fixtures/parity/struc-bench/cases.json', import.meta.url))
const cases = JSON.parse(await readFile(file, 'utf8')) as readonly Case[]

describe("Struc-Bench's H-Score", () => {
  it.each(cases)('equals the published code: $id', async ({ expected, ...fields }) => {
    const input = { ...fields, question: '', judge: noJudge, fields: { ...fields } }
    const { metrics, error } = await publishedMetric.referenceCase!(input)
    expect(error).toBe(expected.error ?? null)
    if (expected.error !== undefined) return
    const { content, format, subscores } = metrics as Required<Case['expected']>
    expect(content).toBeCloseTo(expected.content!, 9)
    expect(format).toBeCloseTo(expected.format!, 9)
    expect(Object.keys(subscores).sort()).toEqual(Object.keys(expected.subscores!).sort())
    for (const [name, value] of Object.entries(expected.subscores!))
      expect(subscores[name]).toBeCloseTo(value, 9)
  })

  it('scores 0 with a remark where the published code raises an exception', async () => {
    const input = { reference: '\\begin{tabular}{l}a\\end{tabular}', prediction: '\\begin{tabular}' }
    const score = await publishedMetric.score({ ...input, question: '', judge: noJudge })
    expect(score).toMatchObject({ value: 0, note: 'the published code raises AttributeError' })
  })
})

describe("Struc-Bench's P-Score", () => {
  const reply = (content: unknown, structure: unknown): string =>
    `\`\`\`json\n${JSON.stringify({ content_similarity: content, structural_similarity: structure })}\n\`\`\``

  it('leaves out a pair with an unreadable reply', () => {
    const replies = [reply(8, 6), reply(4, 15), reply(1, 1), 'no block']
    expect(computePScore('text', replies).metrics).toMatchObject({ content: 6, structure: 10.5 })
  })

  it('names the exception when no pair can be read, or when a value is no number', () => {
    expect(computePScore('text', ['', '']).error).toBe('ZeroDivisionError')
    expect(computePScore('latex', [reply('2', 3), reply(1, 1)]).error).toBe('TypeError')
    expect(computePScore('html', [reply('2', 3), reply(1, 1)]).error).toBe('ZeroDivisionError')
  })
})
