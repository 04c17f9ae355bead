import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scoreBatch, scoreTableCase } from '../../../src/run/score-files/score-table-batch.ts'
import type { TableCase } from '../../../src/run/score-files/table-case.ts'
import { noJudge } from '../../../src/score/contract/judge.ts'
import { packageRoot } from '../../../src/system/paths.ts'

const file = join(packageRoot, 'tests/fixtures/parity/aoe_dev.json')

interface ParityCase extends TableCase {
  readonly expected: Readonly<Record<string, unknown>>
}

describe('scorer aoe compared with the published scorer', () => {
  it('agrees on every number of every case to 1e-9', async () => {
    const cases: ParityCase[] = JSON.parse(readFileSync(file, 'utf8'))
    expect(cases).toHaveLength(120)
    for (const parity of cases) {
      const { id, ...fields } = await scoreTableCase(parity, 'aoe', noJudge)
      expect(Object.keys(fields)).toHaveLength(19)
      for (const [name, value] of Object.entries(fields)) {
        expect(Math.abs(Number(value) - Number(parity.expected[name])), `case ${id}: ${name}`).toBeLessThan(
          1e-9,
        )
      }
    }
  })

  it('prints one JSON line for each case, in order', async () => {
    const lines: string[] = []
    for await (const line of scoreBatch(file, { scorer: 'aoe', judge: noJudge })) lines.push(line)
    expect(lines.map(line => JSON.parse(line).id)).toEqual(Array.from({ length: 120 }, (_, i) => i))
    expect(Object.keys(JSON.parse(lines[0]!))).toContain('total_mapped_target_cells_corresp_gold_schema')
  })
})
