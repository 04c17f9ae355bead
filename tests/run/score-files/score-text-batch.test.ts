import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scoreTextBatch, type TextCaseScore } from '../../../src/run/score-files/score-text-batch.ts'
import { noJudge } from '../../../src/score/contract/judge.ts'
import { listTextScorerNames } from '../../../tasks/scorers.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-text-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function scoreOf(text: string, ...scorers: string[]): Promise<TextCaseScore[]> {
  const file = join(folder, 'batch.json')
  await writeFile(file, text)
  const lines: TextCaseScore[] = []
  for await (const line of scoreTextBatch(file, { scorers, judge: noJudge })) lines.push(JSON.parse(line))
  return lines
}

describe('scoring a file of texts', () => {
  it('returns every metric of each case, with metrics that need a judge model unscored and the reason', async () => {
    const [first] = await scoreOf(
      '[{"id": "a", "reference": "盗窃罪、诈骗罪", "prediction": "诈骗罪", "question": "罪名？"}]',
    )
    expect(first?.id).toBe('a')
    expect(Object.keys(first!.metrics)).toEqual(listTextScorerNames())
    // One of two items: precision 1, recall 1/2. Three of seven characters in order: 2 x 1 x 3/7 / (1 + 3/7).
    expect(first?.metrics['answer-f1']?.value).toBeCloseTo(2 / 3, 12)
    expect(first?.metrics['rouge-l']?.value).toBeCloseTo(0.6, 12)
    expect(first?.metrics['struc-bench-p-score']).toEqual({
      value: null,
      parts: {},
      note: 'needs a judge model',
    })
  })

  it('reads JSON lines, numbers cases without an id, and compares cases with tables as tables', async () => {
    const task = {
      answers: [
        { 名称: '甲', 收入: 1 },
        { 名称: '乙', 收入: 2 },
      ],
      key_cols: ['名称'],
      target_value_columns: ['收入'],
      numeric_columns: ['收入'],
    }
    const lines = [
      { reference: 'a', prediction: 'a' },
      { id: 't', task, answer_csv: '名称,收入\n甲,1\n乙,3\n' },
    ]
    const scores = await scoreOf(lines.map(line => JSON.stringify(line)).join('\n'), 'rouge-l')
    expect(scores.map(score => score.id)).toEqual([1, 't'])
    // With the bars, 7 words in the header and 5 in each row; one of the 17 differs.
    expect(scores[1]?.metrics['rouge-l']?.value).toBeCloseTo(16 / 17, 12)
  })

  it('names the file, the case and the place of a wrong line of a result file', async () => {
    const info = { type: 'csv', task: 'Join', depth: 1, width: 1, few_shot_num: 0, rule_hint: false }
    const right = { index: 0, a: '1', r: '1', info }
    const cases = [{ lines: [right] }, { lines: [right, { ...right, r: 7 }] }]
    await expect(scoreOf(JSON.stringify(cases), 'structext')).rejects.toMatchObject({
      code: 'invalid-case',
      message: expect.stringMatching(/batch\.json: case 2: lines: \[1\]\.r: .*a text.*Correct the case/),
    })
    await expect(scoreOf('[{"lines": 1}]', 'structext')).rejects.toMatchObject({
      code: 'invalid-case',
      message: expect.stringContaining('case 1: lines: the list: '),
    })
  })

  it('refuses a case of result lines for a scorer that does not read them', async () => {
    await expect(scoreOf('[{"lines": []}]', 'rouge-l')).rejects.toMatchObject({
      code: 'invalid-case',
      message: expect.stringContaining('case 1: reference: is missing'),
    })
  })

  it('refuses an unknown metric, a wrong case, a file that is not JSON, and a missing file', async () => {
    await expect(scoreOf('[]', 'rouge')).rejects.toMatchObject({ code: 'unknown-scorer' })
    await expect(scoreOf('[]', 'aoe')).rejects.toMatchObject({ code: 'wrong-scorer' })
    await expect(scoreOf('[{"reference": "a"}]')).rejects.toMatchObject({
      code: 'invalid-case',
      message: expect.stringMatching(/case 1: prediction.*Correct the case/),
    })
    await expect(scoreOf('[{"id": 1, "reference": "a", "prediction": "b"}, 7]')).rejects.toMatchObject({
      code: 'invalid-case',
      message: expect.stringContaining('case 2'),
    })
    await expect(scoreOf('nonsense')).rejects.toMatchObject({ code: 'invalid-case' })
    const missing = scoreTextBatch(join(folder, 'nope.json'), { scorers: [], judge: noJudge })
    await expect(missing.next()).rejects.toMatchObject({ code: 'unreadable-batch' })
  })
})
