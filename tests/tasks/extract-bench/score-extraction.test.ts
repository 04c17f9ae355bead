import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scoreExtractBatch } from '../../../src/run/score-files/score-extract-batch.ts'
import { noJudge } from '../../../src/score/contract/judge.ts'
import { computeSequenceRatio } from '../../../src/score/fuzzy/difflib.ts'
import { createModelJudge } from '../../../src/score/judge/model-judge.ts'
import { parseJsonAsPython } from '../../../src/score/python/json-value.ts'
import { defaultRetry } from '../../../src/system/retry.ts'
import { casefold } from '../../../src/text/plain-text.ts'
import { scoreExtraction } from '../../../tasks/extract-bench/score-extraction.ts'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    n: { type: 'integer' },
    items: { type: 'array', items: { type: 'string' } },
  },
  required: ['name'],
}

describe('scoring an extraction', () => {
  it('distinguishes omission, hallucination and a wrong value', async () => {
    const wrong = await scoreExtraction(schema, { name: 'a', n: 1 }, { name: 'b', items: ['x'] })
    expect(wrong.nodes.map(node => [node.path, node.presence, node.score])).toEqual([
      ['$.properties.name', 'both_present', 0],
      ['$.properties.n', 'extracted_missing', 0],
      ['$.properties.items', 'gold_missing', 0],
    ])
  })

  it('counts failures of fields whose names are inherited properties of objects', async () => {
    const team = {
      type: 'object',
      properties: { constructor: { type: 'string' }, toString: { type: 'string' } },
    }
    const teamNamed = (text: string) =>
      parseJsonAsPython(`{ "constructor": "${text}", "toString": "${text}" }`)
    const { summary } = await scoreExtraction(team as never, teamNamed('a'), teamNamed('b'))
    expect(summary?.outcomes).toMatchObject({
      error_breakdown: { by_path_prefix: { constructor: 1, toString: 1 } },
    })
  })

  it('reads whole numbers in a schema the same whether written 1 or 1.0', async () => {
    const written =
      '{"type":"object","properties":{"a":{"type":"number","enum":[1.0,2.5]},"b":{"type":"array","minItems":0.0,"items":{"type":"string"}}}}'
    expect((await scoreExtraction(parseJsonAsPython(written), {}, {})).error).toBeNull()
  })

  it('drops the result of a metric that is listed after a judge metric', async () => {
    const metrics = (...ids: string[]) => ({
      type: 'string',
      evaluation_config: { metrics: ids.map(metric_id => ({ metric_id })) },
    })
    const several = {
      type: 'object',
      properties: {
        a: metrics('string_exact', 'string_semantic', 'string_fuzzy'),
        b: metrics('no_such', 'string_llm', 'string_semantic', 'no_such'),
      },
    }
    const { nodes, summary } = await scoreExtraction(several, { a: 'x', b: 'y' }, { a: 'X', b: 'Y' })
    expect(nodes.map(({ path, metric, score }) => [path.at(-1), metric, score])).toEqual([
      ['a', 'string_exact', 0],
      ['a', 'string_semantic', 1],
      ['b', 'error', 0],
      ['b', 'string_llm', 1],
    ])
    expect(summary).toMatchObject({ overall_pass_rate: 0.5, outcomes: { total_evaluated: 4 } })
  })

  it('counts a leaf whose key is empty', async () => {
    const { summary } = await scoreExtraction({ type: 'object' }, { '': 'x', b: 1 }, { b: 1 })
    expect(summary?.coverage).toMatchObject({ present_in_both: 1, missing_paths: [''] })
  })

  it('refuses a configuration whose metrics are null', async () => {
    const { error } = await scoreExtraction(
      { type: 'object', properties: { a: { type: 'string', evaluation_config: { metrics: null } } } },
      {},
      {},
    )
    expect(error).toMatchObject({ stage: 'schema' })
  })

  it('refuses a document for one wrong value, and names its place', async () => {
    const refused = await scoreExtraction(schema, { name: 'a' }, { name: null })
    expect(refused).toMatchObject({
      valid: false,
      nodes: [],
      summary: null,
      error: {
        stage: 'instance',
        message: 'Extracted instance is not a string at a string schema: $.properties.name',
      },
    })
  })

  it('refuses recursive definitions and unknown keywords instead of running forever', async () => {
    const recursive = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'array', items: { $ref: '#/$defs/A' } } },
    }
    expect((await scoreExtraction(recursive, {}, {})).error).toMatchObject({
      stage: 'schema',
      type: 'RecursionError',
    })
    expect((await scoreExtraction({ oneOf: [] }, {}, {})).error?.stage).toBe('schema')
  })

  it('asks a judge model when the package would, and leaves its failures unscored', async () => {
    const judge = createModelJudge({
      name: 'scripted',
      cache: null,
      retry: {
        ...defaultRetry,
        clock: { now: () => 0, sleep: async () => undefined },
        signal: new AbortController().signal,
      },
      complete: async prompt => ({
        text: prompt.includes('extracted list')
          ? '{"reasoning": "", "matches_summary": {"matched": 1, "missed_gold": 1, "spurious_pred": 4}}'
          : '?',
        inputTokens: 1,
        outputTokens: 1,
        usd: 0,
      }),
    })
    const score = await scoreExtraction(
      schema,
      { name: 'a', items: ['x', 'y'] },
      { name: 'b', items: ['x'] },
      judge,
    )
    expect(score.nodes.map(node => [node.path, node.score])).toEqual([
      ['$.properties.n', 1],
      ['$.properties.items', 0.5],
    ])
    expect(score.unscored).toBe(1)
    expect(score.judgeUsage.calls).toBe(4)
  })

  it('returns hand-computed scores for a Chinese document', async () => {
    const chinese = {
      type: 'object',
      properties: {
        案件名: { type: 'string', evaluation_config: 'string_exact' },
        罪名: { type: 'string', evaluation_config: 'string_fuzzy' },
        编号: { type: 'string', evaluation_config: 'string_case_insensitive' },
        罚金: { type: 'string', evaluation_config: 'number_exact' },
        被告: { type: 'array', items: { type: 'string' } },
      },
    }
    const { nodes, summary } = await scoreExtraction(
      chinese,
      { 案件名: '甲案', 罪名: '盗窃罪', 编号: 'ＡＢ１', 罚金: '１０００', 被告: ['张三', '李四'] },
      { 案件名: '甲 案', 罪名: '盗窃', 编号: 'ａｂ１', 罚金: '1000', 被告: ['李四 ', '王五'] },
    )
    // difflib: 2 x 2 / (3 + 2) = 0.8, which passes at 0.8; one of two defendants is found: 0.5, which fails at 0.7.
    expect(nodes.map(({ path, score, passed }) => [path.split('.').at(-1), score, passed])).toEqual([
      ['案件名', 0, false],
      ['罪名', 0.8, true],
      ['编号', 1, true],
      ['罚金', 1, true],
      ['被告', 0.5, false],
    ])
    expect(nodes[4]?.matches).toMatchObject({ matched: 1, missedGold: 1, spuriousPredicted: 1 })
    expect(summary?.overall_score).toBeCloseTo(3.3 / 5, 12)
    expect(summary?.overall_pass_rate).toBeCloseTo(3 / 5, 12)
  })

  it('distinguishes 5 and 5.0 like Python', async () => {
    const number = (text: string) =>
      scoreExtraction(schema, { name: 'a', n: 5 }, parseJsonAsPython(`{"name": "a", "n": ${text}}`))
    expect((await number('5')).nodes[1]?.passed).toBe(true)
    expect((await number('5.0')).error?.message).toMatch(/not an integer at an integer schema/)
    expect((await number('5e0')).valid).toBe(false)
    expect(parseJsonAsPython('{"a": "5.0", "b": 1.5}')).toEqual({ a: '5.0', b: 1.5 })
  })

  it('keeps whole numbers of any size exact, like Python', async () => {
    const any = (metric: string) => ({
      type: 'object',
      properties: {
        n: { anyOf: [{ type: 'integer' }], evaluation_config: { metrics: [{ metric_id: metric }] } },
      },
    })
    const passed = async (metric: string, gold: string, predicted: string) => {
      const [left, right] = [gold, predicted].map(text => parseJsonAsPython(`{"n": ${text}}`))
      return (await scoreExtraction(any(metric), left!, right!)).nodes[0]?.passed
    }
    // int() of both: 2^53 + 1 and 2^53 differ; float() of both: they do not.
    expect(await passed('integer_exact', '9007199254740993', '9007199254740992')).toBe(false)
    expect(await passed('integer_exact', '9007199254740993', '"9007199254740993"')).toBe(true)
    expect(await passed('integer_exact', '-9007199254740993', '-9007199254740993')).toBe(true)
    expect(await passed('number_exact', '9007199254740993', '9007199254740992')).toBe(true)
    expect(
      await passed('string_exact', '123456789012345678901234567890', '"123456789012345678901234567890"'),
    ).toBe(true)
    expect(await passed('string_semantic', '100000000000000000', '1e17')).toBe(true)
    expect(await passed('string_semantic', '9007199254740993', '9007199254740992.0')).toBe(false)
    const plain = { type: 'object', properties: { n: { type: 'integer' } } }
    const large = await scoreExtraction(
      plain,
      parseJsonAsPython('{"n": 12345678901234567890}'),
      parseJsonAsPython('{"n": 12345678901234567891}'),
    )
    expect(large.valid).toBe(true)
    expect(large.nodes[0]).toMatchObject({ metric: 'integer_exact', score: 0, passed: false })
    expect(large.summary?.gold_stats).toMatchObject({ counts_by_type: { integer: 1 } })
  })

  it('reads numbers next to a text of a million characters', () => {
    const text = 'x\\"1.0'.repeat(200_000)
    expect(parseJsonAsPython(`{"t": "${text}", "n": 5.0, "m": 12345678901234567890}`)).toMatchObject({
      t: JSON.parse(`"${text}"`),
      n: { value: 5 },
      m: { value: 12345678901234567890n },
    })
  })

  it('folds case and compares sequences like Python', () => {
    expect(casefold('Straße ΣΑΣ ﬁ İ')).toBe(casefold('STRASSE σας FI i̇'))
    // difflib: SequenceMatcher(None, 'abcd', 'bcde').ratio() is 0.75, ('private Thread', 'Private thread') 0.857142…
    expect(computeSequenceRatio('abcd', 'bcde')).toBe(0.75)
    expect(computeSequenceRatio('', '')).toBe(1)
    expect(
      computeSequenceRatio('private Thread currentThread;', 'private volatile Thread currentThread;'),
    ).toBeCloseTo(0.8656716417910447, 12)
  })
})

describe('scoring a file of extractions', () => {
  it('prints one line for each case, with schemas next to the file, under --schemas or inline', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'extract-'))
    try {
      await writeFile(join(folder, 's.json'), JSON.stringify({ schema_definition: schema }))
      const file = join(folder, 'batch.json')
      await writeFile(
        file,
        JSON.stringify([
          { id: 'a', schema: 's.json', gold: { name: 'x' }, prediction: { name: 'X ' } },
          { id: 2, schema_inline: schema, gold: { name: 'x' }, prediction: [] },
        ]),
      )
      const lines: Record<string, unknown>[] = []
      for await (const line of scoreExtractBatch(file, { schemas: null, judge: noJudge }))
        lines.push(JSON.parse(line))
      expect(lines.map(line => [line.id, line.valid])).toEqual([
        ['a', true],
        [2, false],
      ])
      expect(lines[0]?.nodes).toContainEqual({
        path: '$.properties.name',
        metric: 'string_semantic',
        score: 1,
        passed: true,
        presence: 'both_present',
      })
      await writeFile(file, '[{"id": 1, "gold": 1, "prediction": 1}]')
      await expect(async () => {
        for await (const _ of scoreExtractBatch(file, { schemas: null, judge: noJudge })) expect.unreachable()
      }).rejects.toMatchObject({
        code: 'missing-schema',
        message: expect.stringMatching(/case 1: no schema\. Add schema/),
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
