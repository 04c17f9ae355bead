import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Judge } from '../../../src/score/contract/judge.ts'
import { readConfiguration } from '../../../src/score/contract/scoring-configuration.ts'
import { loadBenchmark } from '../../../tasks/load-benchmark.ts'
import { abilities, abilityMap } from '../../../tasks/struc-bench/abilities.ts'
import { pScore } from '../../../tasks/struc-bench/p-score.ts'
import { strucBenchAbilities } from '../../../tasks/struc-bench/scorer.ts'

/** A judge that gives the replies in turn. A reply that cannot be read is a failure, as with a real judge. */
function judgeOf(...replies: readonly string[]): Judge {
  const left = [...replies]
  return {
    ...{ kind: 'model', name: 'test', batch: false },
    ask: async ({ parse }) => {
      const value = parse(left.shift() ?? '')
      return { value, failure: value === null ? 'unreadable reply' : null } as never
    },
  }
}

const input = { reference: '| a |\n| 1 |', prediction: '| a |\n| 2 |', question: 'Write the table.' }
const rated = '```json\n{"content_similarity": 5, "structural_similarity": 10}\n```'

describe("Struc-Bench's scores by a judge", () => {
  it('have no P-Score when one of the two orders has no readable reply', async () => {
    expect(await pScore.score({ ...input, judge: judgeOf(rated, rated) })).toMatchObject({ value: 0.75 })
    for (const replies of [[rated, 'no idea'], ['no idea', rated], []])
      expect(await pScore.score({ ...input, judge: judgeOf(...replies) })).toMatchObject({
        value: null,
        note: 'unreadable reply',
      })
  })

  it('rate the abilities with the input that the table was made of', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'struc-bench-'))
    const file = join(folder, 'records.jsonl')
    const record = {
      ...{ id: 'game', instruction: 'Make a table.', output: '| team | points |\n| Elm | 98 |' },
      input: 'Elm won with 98 points.\nFormat: one row for each team.',
    }
    await writeFile(file, `${JSON.stringify(record)}\n`)
    const { tasks } = await loadBenchmark('struc-bench', file, { spreadsheet: null, readWorkbook: () => [] })
    const prompts: string[] = []
    const judge: Judge = {
      ...{ kind: 'model', name: 'test', batch: false },
      ask: async ({ prompt }) => {
        prompts.push(prompt)
        return { value: null, failure: 'test' } as never
      },
    }
    const { question, gold } = tasks[0]!
    const configuration = readConfiguration(strucBenchAbilities, 'struc-bench-abilities', gold, 'game')
    const answer = { answerText: 'a table', termination: null }
    await strucBenchAbilities.score({ ...answer, question, gold, judge, configuration } as never)
    expect(prompts[0]).toContain('Elm won with 98 points.')
    expect(prompts[0]).toContain('Format: one row for each team.')
    await rm(folder, { recursive: true })
  })

  it('have no ability map when an ability is missing or not from 0 to 10', async () => {
    const ratings = Object.fromEntries(abilities.map(({ name }, at) => [name, 6 + at]))
    const good = await abilityMap.score({ ...input, judge: judgeOf(`Reasons. ${JSON.stringify(ratings)}`) })
    expect(good).toEqual({ value: 0.8, parts: ratings, note: null })
    const { coverage: _, ...missing } = ratings
    for (const bad of [missing, { ...ratings, coverage: 11 }, { ...ratings, coverage: 'high' }])
      expect(await abilityMap.score({ ...input, judge: judgeOf(JSON.stringify(bad)) })).toMatchObject({
        value: null,
        parts: {},
      })
  })
})
