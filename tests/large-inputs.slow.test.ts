import { describe, expect, it } from 'vitest'
import { tokenize } from '../retrieval/tokenize.ts'
import { buildReport } from '../src/report/model/build-report.ts'
import { parseAnswer } from '../src/score/answer/parse-answer.ts'
import { cpuMsOf } from './cpu-time.ts'
import { answered } from './models/extractive/answered.ts'
import { hostilePieces, hostileQuestions } from './models/extractive/hostile-texts.ts'
import { makeAttempt, makeScore, scorers } from './report/records.ts'

describe('a text of 2 MB, answered by rules', () => {
  it.each(hostileQuestions)('takes time proportional to its length: %s', async question => {
    for (const piece of hostilePieces) {
      const text = piece.repeat(2_000_000 / piece.length)
      const cpuMs = await cpuMsOf(() => expect(answered(question, ['a.pdf', text])).not.toEqual([]))
      expect(cpuMs, JSON.stringify(piece)).toBeLessThan(4_000)
    }
  })
})

describe('a run of ten million characters', () => {
  it.each(['a', '营'])('of %j is divided into words', character => {
    expect(tokenize(character.repeat(10_000_000)).at(-1)).toMatch(character)
  })
})

describe('a long answer', () => {
  it('is read with a cell of 96,000 characters', () => {
    const cell = 'x"y\n'.repeat(24_000)
    const parsed = parseAnswer(`\`\`\`csv\na,b\n"${cell.replaceAll('"', '""')}",2\n\`\`\``)
    expect(parsed).toMatchObject({ status: 'table', header: ['a', 'b'] })
    expect(parsed.status === 'table' && parsed.rows[0]?.[0] === cell).toBe(true)
  })

  it('takes time proportional to its length when quotes never close', async () => {
    const texts = [
      `\`\`\`csv\na,b\n${'"x,"y\n'.repeat(90_000)}`,
      `\`\`\`csv\n${'"'.repeat(3_000_001)}`,
      '"a,'.repeat(500_000),
      '|-'.repeat(500_000),
    ]
    expect(await cpuMsOf(() => texts.map(text => parseAnswer(text)))).toBeLessThan(8_000)
  })
})

describe('a report of 1,200 attempts', () => {
  it('is built in bounded time', async () => {
    const attempts = Array.from({ length: 1_200 }, (_, at) =>
      makeAttempt({
        task: `t${at % 400}`,
        domain: ['financial', 'legal', 'academic'][at % 3]!,
        setting: ['offline', 'rag', 'online'][Math.floor(at / 400)]!,
      }),
    )
    const scores = attempts.map((attempt, at) => makeScore(attempt, (at % 7) / 7))
    const manifest = { runId: 'r1', startedAt: null, endedAt: null, config: { web: 'sealed' } }
    const cpuMs = await cpuMsOf(() => buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] }))
    expect(cpuMs).toBeLessThan(8_000)
  })
})
