import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Judge, noJudge } from '../../src/score/contract/judge.ts'
import { splitAnswerItems } from '../../src/score/text/answer-items.ts'
import { readNumberWords } from '../../src/text/number-words.ts'
import { findTextScorer, listTextScorerNames } from '../../tasks/scorers.ts'

const score = async (name: string, reference: string, prediction: string, judge: Judge = noJudge) => {
  const metric = await findTextScorer(name).metric()
  return await metric.score({ reference, prediction, question: 'q', judge })
}
const judgeSaying = (answer: (prompt: string) => string): Judge => ({
  kind: 'model',
  name: 'scripted',
  batch: false,
  ask: async request => {
    const value = request.parse(answer(request.prompt))
    return {
      value,
      failure: value === null ? 'out of form' : null,
      calls: 1,
      inputTokens: 0,
      outputTokens: 0,
      usd: 0,
    }
  },
})

const table = '| Team | Wins |\n|---|---|\n| A | 1 |\n| B | 2 |\n'
const html = '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>'
const latex =
  '\\begin{table}\\caption{Cap}\\begin{tabular}{l|p{2cm}}\\hline a & \\textbf{b} \\\\ 1 & 2\\% \\\\ \\end{tabular}\\end{table}'

describe('every text metric', () => {
  it.each(listTextScorerNames().filter(name => name !== 'longtablebench'))(
    '%s has a summary and either scores equal texts highest or says why not',
    async name => {
      expect(findTextScorer(name).summary.length).toBeGreaterThan(10)
      for (const text of [table, html, latex, '["a", "2025-01-01"]']) {
        const result = await score(name, text, text)
        if (result.value === null) expect(result.note).toMatch(/needs a judge model/)
        else if (name === 'structext') expect(result.value).toBe(2 * (1 / (2 + 1e-8)))
        else expect(result.value).toBe(1)
      }
    },
  )

  it.each(['answer-f1', 'rouge-l'] as const)('%s stays within 0..1 for any two texts', async name => {
    const text = fc.array(
      fc.constantFrom(
        '|',
        '\n',
        'a',
        '1',
        '<td>',
        '<table>',
        '</tr>',
        '\\\\',
        '&',
        '\\begin{tabular}{l}',
        '[',
        ']',
        ',',
        '"',
      ),
      { maxLength: 20 },
    )
    await fc.assert(
      fc.asyncProperty(text, text, async (left, right) => {
        const { value } = await score(name, left.join(''), right.join(''))
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('the answer F1', () => {
  it.each([
    ['["1,200", "2025-01-01"]', 'Answer: ["01/01/2025", "1.2×10^3"]', 1],
    ['["a", "b"]', "['b']", 2 / 3],
    ['["12%"]', '0.12', 1],
    ['["€5,000", "CHF 20"]', '["5000 EUR", "20 CHF"]', 1],
    ['["₹5,000"]', '["₩5,000"]', 0],
    ['["5 km", "1.2 Mio. €"]', '["5000 m", "€1,200,000"]', 1],
    ['["5 km"]', '["5 kg"]', 0],
    ['["½", "3 × 10⁸"]', '["0.5", "300,000,000"]', 1],
    ['["12 %"]', '["12 ‰"]', 0],
    ['["1234567"]', '["1234568"]', 0],
    ['["one hundred twenty-three"]', '123', 1],
    ['["03/04/2025"]', '["2025-04-03"]', 1],
    ['["x"]', '[]', 0],
    ['[]', '[]', 1],
    ['["张三", "李四"]', '李四、张三', 1],
  ])('%s against %s', async (reference, prediction, expected) => {
    expect((await score('answer-f1', reference, prediction)).value).toBeCloseTo(expected, 12)
  })

  it('reads the last list, else lines, else parts between commas that are not thousands separators', () => {
    expect(splitAnswerItems('First [1, 2], then\n["a, b", "c"]')).toEqual(['a, b', 'c'])
    expect(splitAnswerItems('- a\n- b')).toEqual(['a', 'b'])
    expect(splitAnswerItems('The answer is: 1,200, b')).toEqual(['1,200', 'b'])
    expect(splitAnswerItems('1000; January 2, 2020')).toEqual(['1000', 'January 2, 2020'])
    expect(splitAnswerItems('January 2, 2020, March 3rd, 2021, may, 7')).toEqual([
      'January 2, 2020',
      'March 3rd, 2021',
      'may',
      '7',
    ])
    expect(splitAnswerItems('答案：甲、乙，1,200')).toEqual(['甲', '乙', '1,200'])
    expect(readNumberWords('minus two point five')).toBe(-2.5)
    expect(readNumberWords('two apples')).toBeNull()
  })
})

describe('ROUGE-L', () => {
  it('is the F1 of the longest common subsequence of words', async () => {
    const result = await score('rouge-l', 'the cat sat on the mat', 'the cat on a mat')
    expect(result.parts).toMatchObject({ precision: 4 / 5, recall: 4 / 6 })
    expect(result.value).toBeCloseTo(8 / 11, 12)
    expect(result.parts.accuracyAt75).toBe(0)
    expect((await score('rouge-l', '盗窃罪', '盗窃')).value).toBeCloseTo(0.8, 12)
  })
})

describe('metrics with a judge', () => {
  it('ask for a P-Score in both orders and average the replies', async () => {
    const judge = judgeSaying(prompt =>
      prompt.indexOf('GOLD') < prompt.indexOf('GIVEN')
        ? 'Hm {so}. ```json\n{"content_similarity": 8, "structural_similarity": 10}\n```'
        : '```json\n{"content_similarity": 6, "structural_similarity": 10}\n```',
    )
    expect(await score('struc-bench-p-score', 'GOLD', 'GIVEN', judge)).toEqual({
      value: 0.85,
      parts: { content: 7, structure: 10 },
      note: null,
    })
  })

  it('are unscored when the judge does not reply in the required form', async () => {
    expect(
      await score(
        'struc-bench-p-score',
        'a',
        'b',
        judgeSaying(() => '{"content_similarity": 11}'),
      ),
    ).toMatchObject({ value: null, note: 'out of form' })
    expect(
      (
        await score(
          'judge-accuracy',
          'a',
          'b',
          judgeSaying(() => 'Judge: False'),
        )
      ).value,
    ).toBe(0)
    expect(
      (
        await score(
          'judge-accuracy',
          'a',
          'a',
          judgeSaying(() => 'It is the same.\nJudge: True'),
        )
      ).value,
    ).toBe(1)
  })
})
