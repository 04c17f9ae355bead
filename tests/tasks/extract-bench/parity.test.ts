import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type JsonValue, parseJsonAsPython } from '../../../src/score/python/json-value.ts'
import { packageRoot } from '../../../src/system/paths.ts'
import type { NodeResult } from '../../../tasks/extract-bench/evaluate.ts'
import { scoreExtraction } from '../../../tasks/extract-bench/score-extraction.ts'

const fixtures = join(packageRoot, 'tests/fixtures/parity')
const cases = parseJsonAsPython(
  readFileSync(join(fixtures, 'extract_bench_dev.json'), 'utf8'),
) as unknown as ParityCase[]

interface ExpectedNode {
  readonly metric: string
  readonly score: number
  readonly passed: boolean
  readonly presence: string
  readonly judged?: boolean
  readonly matches?: {
    readonly matched: number
    readonly missed_gold: number
    readonly spurious_pred: number
  }
  readonly error_type?: string
}
interface ParityCase {
  readonly id: string
  readonly schema?: string
  readonly schema_pointer?: string
  readonly schema_inline?: JsonValue
  readonly gold: JsonValue
  readonly prediction: JsonValue
  readonly expected: {
    readonly valid: boolean
    readonly nodes: Readonly<Record<string, ExpectedNode>>
    readonly several?: Readonly<Record<string, readonly ExpectedNode[]>>
    readonly internal?: Readonly<Record<string, ExpectedNode>>
    readonly judge_calls?: number
    readonly error?: { readonly stage: string; readonly type: string; readonly message: string }
    readonly summary: unknown
  }
}

function schemaOf(parity: ParityCase): JsonValue {
  if (parity.schema_inline !== undefined) return parity.schema_inline
  const schema = JSON.parse(readFileSync(join(fixtures, parity.schema!), 'utf8'))
  return parity.schema_pointer === undefined ? schema : schema[parity.schema_pointer.slice(1)]
}

const inTheirWords = (result: NodeResult): ExpectedNode => ({
  metric: result.metric,
  score: result.score,
  passed: result.passed,
  presence: result.presence,
  ...(result.judged ? { judged: true } : {}),
  ...(result.matches === null
    ? {}
    : {
        matches: {
          matched: result.matches.matched,
          missed_gold: result.matches.missedGold,
          spurious_pred: result.matches.spuriousPredicted,
        },
      }),
  ...(result.errorType === null ? {} : { error_type: result.errorType }),
})

function byPath(results: readonly NodeResult[]): Record<string, ExpectedNode[]> {
  const paths: Record<string, ExpectedNode[]> = {}
  for (const result of results) (paths[result.path] ??= []).push(inTheirWords(result))
  return paths
}

const listed = (nodes: Readonly<Record<string, ExpectedNode>> = {}): Record<string, ExpectedNode[]> =>
  Object.fromEntries(Object.entries(nodes).map(([path, node]) => [path, [node]]))

/** Means may differ in the last bit, because sums are formed in another order. */
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'number' ? Number(inner.toFixed(9)) : inner,
  )

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('scoring compared with the published package of ExtractBench', () => {
  it('has 96 reference cases', () => expect(cases).toHaveLength(96))

  it.each(cases.map(parity => [parity.id, parity] as const))(
    'agrees on every node and on the report of %s',
    async (_, parity) => {
      const { expected } = parity
      const score = await scoreExtraction(schemaOf(parity), parity.gold, parity.prediction)
      expect(score.valid).toBe(expected.valid)
      if (!expected.valid) {
        expect([score.error?.stage, score.error?.type]).toEqual([expected.error?.stage, expected.error?.type])
        if (score.error?.stage === 'instance') expect(score.error.message).toBe(expected.error?.message)
        expect(score.nodes).toEqual([])
        return
      }
      expect(byPath(score.nodes)).toEqual(plain({ ...listed(expected.nodes), ...expected.several }))
      expect(byPath(score.internal)).toEqual(plain(listed(expected.internal)))
      expect(score.judgeCalls).toBe(expected.judge_calls)
      expect(rounded(score.summary)).toEqual(rounded(expected.summary))
    },
  )
})
