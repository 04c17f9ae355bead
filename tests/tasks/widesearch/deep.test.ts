import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/core/runtime.ts'
import { rulesJudge } from '../../../src/score/contract/judge.ts'
import type { JudgeCall } from '../../../tasks/widesearch/judge-calls.ts'
import { evaluateDeep } from '../../../tasks/widesearch/score-deep-answer.ts'
import { deepWideSearchScorer } from '../../../tasks/widesearch/scorer.ts'
import { attemptEnding } from '../../score/attempt-ending.ts'

const judged = { preprocess: ['norm_str'], metric: ['llm_judge'], criterion: 'The same street.' }
const evaluation = {
  required: ['hotel', 'street'],
  unique_columns: ['hotel'],
  eval_pipeline: { hotel: { preprocess: ['norm_str'], metric: ['exact_match'] }, street: judged },
}
const goldCsv = 'Hotel,Street\nAlder,Main St\nBirch,Quay\n'
const tableOf = (...rows: readonly string[]): string =>
  `\`\`\`markdown\n| Hotel | Street |\n|---|---|\n${rows.map(row => `| ${row} |`).join('\n')}\n\`\`\``
const nowMs = Date.parse('2025-08-12T12:00:00Z')

describe('scorer deepwidesearch', () => {
  const scored = async (answerText: string | null) =>
    await deepWideSearchScorer.score({
      answerText,
      question: {
        ...{ taskId: 'd', benchmark: 'deepwidesearch', domain: 'general', language: 'en', query: 'Which?' },
        ...{ documentNames: [], form: { kind: 'table' } },
      },
      gold: {
        ...{ kind: 'table', keyColumns: ['hotel'], targetColumns: ['street'], numericColumns: [] },
        rows: [
          { hotel: 'Alder', street: 'Main St' },
          { hotel: 'Birch', street: 'Quay' },
        ],
      },
      configuration: { evaluation, goldCsv, entity: ['Ulm', 'City of Ulm'] },
      ...{ judge: rulesJudge, clock: { ...systemClock, now: () => nowMs } },
      termination: attemptEnding({ cause: 'agent', reason: 'answered' }).termination,
    })

  it('gives column F1 for rows that are joined by their keys, whatever their other cells are', async () => {
    // Two of the answer's three rows and of the gold's two are joined; one of them is right.
    const answer = `The town is Ulm.\n${tableOf('Alder | Main St', 'Birch | Hill', 'Cedar | Quay')}`
    const result = await scored(answer)
    expect(result.status === 'scored' && result.metrics).toMatchObject({
      ...{ columnF1: (2 * 2) / (3 + 2), coreEntityAccuracy: 1, rowF1: (2 * 1) / (3 + 2) },
      itemF1: (2 * 3) / (6 + 4),
    })
    expect(result.status === 'scored' && result.explanation).toEqual([
      '2 joined rows: the answer has 3 rows with different keys, the gold 2.',
      '1 cell of joined rows is wrong: street (1).',
    ])
  })

  it('names missing rows and columns', async () => {
    const few = await scored(`Ulm\n${tableOf('Alder | Main St')}`)
    expect(few.status === 'scored' && few.explanation.at(-1)).toBe(
      '1 gold row has no match in the answer: Birch.',
    )
    const other = await scored('Ulm\n```markdown\n| Hotel | Beds |\n|---|---|\n| Alder | 1 |\n```')
    expect(other.status === 'scored' && other.explanation).toEqual([
      expect.stringContaining('(missing: street; not asked for: beds)'),
    ])
  })

  it('gives 0 for every figure when the answer does not name the subject', async () => {
    const result = await scored(tableOf('Alder | Main St', 'Birch | Quay'))
    expect(result.status === 'scored' && result).toMatchObject({
      ...{ answered: true, success: false },
      metrics: { columnF1: 0, coreEntityAccuracy: 0, itemF1: 0, rowF1: 0 },
    })
  })

  it('reads the last table, and demands strictness of the judge', async () => {
    const calls: JudgeCall[] = []
    const ask = async (call: JudgeCall) => {
      calls.push(call)
      return call.call === 'grade' ? '```json\n{"idx_0": 1, "idx_1": 1}\n```' : null
    }
    const answer = `${tableOf('{data_content}')}\n${tableOf('alder | Main Street', 'birch | Quay')}`
    const result = await evaluateDeep({ answer, goldCsv, evaluation, nowMs, ask })
    expect(result.outcome === 'scored' && result.figures.f1_by_row).toBe(1)
    const criteria = calls.flatMap(call => (call.call === 'grade' ? [call.criterion] : []))
    expect(criteria).toEqual([expect.stringMatching(/^The same street\. Be strict/)])
  })

  it('fails on a judged column without a criterion, as the published code does', async () => {
    const without = { ...evaluation.eval_pipeline, street: { preprocess: [], metric: ['llm_judge'] } }
    const answer = tableOf('alder | Main St')
    const settings = { ...evaluation, eval_pipeline: without }
    const ask = async () => null
    expect(await evaluateDeep({ answer, goldCsv, evaluation: settings, nowMs, ask })).toMatchObject({
      ...{ outcome: 'error', exception: 'TypeError' },
    })
  })
})
