import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { computePublishedRougeL } from '../../../tasks/structext/published-rouge-l.ts'

interface ReferenceCase {
  readonly id: string
  readonly reference: string
  readonly prediction: string
  readonly expected: Readonly<Record<string, number>> & { readonly error?: string }
}

const file = new URL('../../fixtures/parity/structext/rouge_l.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly ReferenceCase[] }

describe("StrucText-Eval's published ROUGE-L", () => {
  it.each(cases)('equals the published code: $id', ({ reference, prediction, expected }) => {
    const rouge = computePublishedRougeL(reference, prediction)
    if (expected.error !== undefined) expect(rouge).toBe(expected.error)
    else if (typeof rouge === 'string') expect.unreachable(rouge)
    else
      for (const [name, value] of Object.entries(expected))
        expect(rouge[name as 'f']).toBeCloseTo(value as number, 10)
  })
})
