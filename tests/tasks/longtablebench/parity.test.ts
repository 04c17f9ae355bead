import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scoreTextBatch } from '../../../src/run/score-files/score-text-batch.ts'
import { noJudge } from '../../../src/score/contract/judge.ts'
import { packageRoot } from '../../../src/system/paths.ts'

const file = join(packageRoot, 'tests/fixtures/parity/longtablebench_dev.json')

interface ParityCase {
  readonly id: number
  readonly how: string
  readonly expected: { readonly precision: number; readonly recall: number; readonly f1: number }
}

it('agrees with a published scorer of the same lineage on every case to 1e-9', async () => {
  const cases: ParityCase[] = JSON.parse(readFileSync(file, 'utf8'))
  expect(cases).toHaveLength(150)
  let at = 0
  for await (const line of scoreTextBatch(file, { scorers: ['longtablebench'], judge: noJudge })) {
    const { id, metrics } = JSON.parse(line)
    const { id: expectedId, how, expected } = cases[at++]!
    expect(id).toBe(expectedId)
    expect(metrics.f1, how).toBeCloseTo(expected.f1, 9)
    expect(metrics.precision, how).toBeCloseTo(expected.precision, 9)
    expect(metrics.recall, how).toBeCloseTo(expected.recall, 9)
  }
  expect(at).toBe(150)
})
