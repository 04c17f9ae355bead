import { describe, expect, it } from 'vitest'
import { fillContext } from '../../agents/chunk-prompt.ts'
import { readRatings } from '../../agents/model-relevance.ts'
import { readColumns } from '../../agents/rag.ts'
import { settings } from '../../agents/registry.ts'
import type { RetrieveRequest, SettingEnvironment } from '../../agents/setting.ts'
import { retrievalSchema } from '../../src/core/discovery.ts'
import type { Chunk } from '../../src/core/document.ts'
import { document, question, says, scripted, type Turn, table, world } from './harness.ts'

const chunk = (hint: string, index: number, text: string): Chunk => ({
  id: `${hint}:${index}`,
  hint,
  index,
  start: index * 1_000,
  end: index * 1_000 + text.length,
  text,
})

/** The mark between two chunks has 7 of these tokens. */
const chars = (text: string): number => text.length
const gap = 7

describe('a context of limited size', () => {
  const ranking = [
    chunk('a', 0, 'x'.repeat(93)),
    chunk('b', 0, 'y'.repeat(193)),
    chunk('a', 1, 'z'.repeat(3)),
  ]
  const idsAt = (limit: number | null) => fillContext(ranking, limit, chars).map(({ id }) => id)

  it('contains whole chunks in rank order up to the first that does not fit', () => {
    expect(idsAt(300)).toEqual(['a:0', 'b:0'])
    expect(idsAt(310)).toEqual(['a:0', 'b:0', 'a:1'])
    expect(idsAt(299)).toEqual(['a:0'])
  })

  it('leaves out a chunk that is longer than the whole context', () => {
    expect(idsAt(110)).toEqual(['a:0', 'a:1'])
    expect(idsAt(9)).toEqual([])
  })

  it('contains all chunks when the size is not limited', () => {
    expect(idsAt(null)).toEqual(['a:0', 'b:0', 'a:1'])
  })

  it('is the beginning of every larger context, as long as each chunk fits', () => {
    const many = Array.from({ length: 60 }, (_, at) => chunk('a', at, 'w'.repeat(1 + ((at * 37) % 90))))
    let before: readonly Chunk[] = []
    for (let limit = 100; limit < 4_000; limit += 50) {
      const now = fillContext(many, limit, chars)
      expect(now.slice(0, before.length)).toEqual(before)
      expect(now.reduce((sum, one) => sum + one.text.length + gap, 0)).toBeLessThanOrEqual(limit)
      before = now
    }
    expect(before.length).toBeGreaterThan(50)
  })
})

const documents = async () => [document('a.pdf', 'A'.repeat(4_000)), document('b.pdf', 'B'.repeat(4_000))]
const found = [
  chunk('b.pdf', 0, 'B'.repeat(93)),
  chunk('a.pdf', 1, 'A'.repeat(93)),
  chunk('b.pdf', 2, 'B'.repeat(93)),
  chunk('a.pdf', 0, 'A'.repeat(93)),
]

async function rag(turns: readonly Turn[], more: Partial<SettingEnvironment> = {}) {
  const requests: RetrieveRequest[] = []
  const retrieve: SettingEnvironment['retrieve'] = async (_documents, _signal, request) => {
    requests.push(request)
    return { chunks: found, retriever: 'aoe', embedder: 'hash', k: 250 }
  }
  const model = scripted({ turns })
  const here = world(model, { documents, retrieve, ...more } as never)
  return { ...(await settings.get('rag').run(question, here.environment)), ...here, model, requests }
}

describe('rag with a limited context', () => {
  it('shows the best chunks that fit, grouped by document, and returns all retrieved chunks', async () => {
    const { model, chunks, retrieved, retrieval, context } = await rag([says(table)], { contextTokens: 300 })
    const user = model.requests[0]!.messages.at(-1)!.text
    expect(user.indexOf('A'.repeat(93))).toBeLessThan(user.indexOf('B'.repeat(93)))
    expect(chunks).toEqual(found.slice(0, 3))
    expect(retrieved).toEqual(found)
    expect(retrieval).toMatchObject({ chunksInPrompt: 3, charsInPrompt: 279, tokensInPrompt: 300 })
    expect(context?.cutStrategy).toBeNull()
  })

  it('respects a smaller context window and records the cut', async () => {
    const frame = (await rag([says(table)], { contextTokens: 1 })).model.requests[0]!.messages
    const size = frame.reduce((sum, message) => sum + message.text.length, 0)
    const model = scripted({ turns: [says(table)], contextWindow: Math.ceil((size + 150) * 1.1 * 1.34) + 40 })
    const here = world(model, {
      documents,
      retrieve: async () => ({ chunks: found, retriever: 'aoe', embedder: 'hash', k: 250 }),
      contextTokens: 400,
    } as never)
    const { retrieval, context, termination } = await settings.get('rag').run(question, here.environment)
    expect(termination.reason).toBe('answered')
    expect(retrieval?.chunksInPrompt).toBeGreaterThan(0)
    expect(retrieval?.chunksInPrompt).toBeLessThan(4)
    expect(context?.cutStrategy).toBe('worst-chunks-out')
    expect(here.of('context-cut')).toHaveLength(1)
  })
})

describe('rag with one query per column', () => {
  const schema =
    '<schema>\n- name: Filename\n  about: the report\n- name: Revenue (USD)\n  about: total net revenue\n</schema>'

  it('lets the model list the columns from the names alone, and charges the call', async () => {
    const { model, requests, retrieval, usage, termination, of } = await rag([says(schema), says(table)], {
      ragQuery: 'column',
    })
    expect(requests).toMatchObject([
      { queries: ['Filename: the report', 'Revenue (USD): total net revenue'] },
    ])
    expect(retrieval?.queries).toEqual(requests[0]!.queries)
    const [first, second] = model.requests.map(request => request.messages.map(({ text }) => text).join('\n'))
    expect(first).toContain('a.pdf')
    expect(first).not.toContain('AAAA')
    expect(second).toContain('AAAA')
    expect(usage).toMatchObject({ modelCalls: 2, inputTokens: 20, outputTokens: 10 })
    expect(termination).toMatchObject({ reason: 'answered', lastHealthyStep: 2 })
    expect(of('budget-charged').filter(({ kind }) => kind === 'modelCalls')).toHaveLength(2)
  })

  it("uses the task's query when the answer contains no schema, and records the query", async () => {
    const { requests, retrieval } = await rag([says('I cannot tell.'), says(table)], { ragQuery: 'column' })
    expect(requests).toMatchObject([{ queries: null }])
    expect(retrieval?.queries).toEqual([question.query])
  })

  it('ends when the budget does not cover the second call or when the model refuses the first', async () => {
    const spent = await rag([says(schema), says(table)], { ragQuery: 'column', caps: { modelCalls: 1 } })
    expect(spent.termination).toMatchObject({ cause: 'budget', reason: 'model-calls' })
    const refused = await rag([says('', { additional_kwargs: { refusal: 'no' } })], { ragQuery: 'column' })
    expect(refused.termination).toMatchObject({ cause: 'agent', reason: 'refused' })
    expect(refused.requests).toEqual([])
  })

  it('asks a Chinese question in Chinese', async () => {
    const model = scripted({ turns: [says(schema), says(table)] })
    const here = world(model, { documents, ragQuery: 'column' } as never)
    await settings.get('rag').run({ ...question, language: 'zh', query: '比较营业收入。' }, here.environment)
    expect(model.requests[0]!.messages[0]!.text).toContain('表格需要的列')
  })
})

describe('rag with passages rated by the model', () => {
  const rating = async (turns: readonly Turn[], passages: readonly string[]) => {
    let ratings: readonly number[] = []
    const retrieve: SettingEnvironment['retrieve'] = async (_documents, _signal, { relevance }) => {
      ratings = await relevance('which revenue?', passages)
      return { chunks: found, retriever: 'rerank', embedder: 'hash', k: 100 }
    }
    const outcome = await rag(turns, { retrieve })
    return { ...outcome, ratings }
  }

  it('rates twenty passages per charged request and answers afterwards', async () => {
    const passages = Array.from({ length: 25 }, (_, at) => `passage text ${at}`)
    const { ratings, usage, model, termination } = await rating(
      [says('1: 3\n20: 10'), says('5: 7'), says(table)],
      passages,
    )
    expect(ratings).toHaveLength(25)
    expect([ratings[0], ratings[19], ratings[24], ratings[1]]).toEqual([3, 10, 7, 0])
    expect(usage.modelCalls).toBe(3)
    expect(model.requests[1]!.messages.at(-1)!.text).toContain('<passage number="5">\npassage text 24\n')
    expect(termination).toMatchObject({ reason: 'answered', lastHealthyStep: 3 })
  })

  it('ends as refused when the model refuses to rate', async () => {
    const { termination, retrieval } = await rating(
      [says('', { additional_kwargs: { refusal: 'no' } })],
      ['x'],
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'refused' })
    expect(retrieval).toBeNull()
  })

  it.each([
    ['1: 3\n2: 9', [3, 9]],
    ['[1] 3\n[2] 9/10', [3, 9]],
    ['- Passage 1: 3.5\n- Passage 2: 40', [3.5, 10]],
    ['1. 3\n1. 8', [3, 0]],
    ['I think the first one.', [0, 0]],
  ])('reads the ratings %j', (text, ratings) => {
    expect(readRatings(text, 2)).toEqual(ratings)
  })
})

it.each([
  ['a list', '- name: A (USD)\n  about: one\n- name: B\n  about: two'],
  [
    'a block that is not closed',
    'Thinking…\n<schema>\n- name: A (USD)\n  about: one\n- name: B\n  about: two',
  ],
  [
    'JSON',
    '<schema>[{"name": "A (USD)", "about": "one"},\n {"name": "B", "description": "two", "format": "x"}]</schema>',
  ],
  [
    'bold names',
    '<schema>\n- **name**: A (USD)\n  **about**: one\n- **name**: B\n  **about**: two\n</schema>',
  ],
  ['full-width colons', '<schema>\n- name：A (USD)\n  about：one\n- name：B\n  about：two\n</schema>'],
  ['both in a row', '- name: A (USD), about: one\n- name: B; about: two'],
  ['both in a row, full width', '- name：A (USD)，about：one\n- name：B；**about**：two'],
  ['all in a row, as JSON', '[{"name": "A (USD)", "about": "one"}, {"name": "B", "about": "two"}]'],
  ['a column twice', '- name: A (USD)\n  about: one\n- name: B\n  about: two\n- name: B\n  about: three'],
])('reads the columns of a schema: %s', (_form, text) => {
  expect(readColumns(text)).toEqual([
    { name: 'A (USD)', about: 'one' },
    { name: 'B', about: 'two' },
  ])
})

it('stores the retrieval fields in the attempt record', () => {
  const record = {
    retriever: 'aoe',
    embedder: 'hash',
    k: 250,
    queries: ['q'],
    chunksInPrompt: 1,
    charsInPrompt: 1,
    tokensInPrompt: 1,
    coverage: 1,
    evidenceInPrompt: 1,
    evidenceRecall: { '5': 1 },
    cellsFindable: 2,
    cellsUnfindable: 0,
    noise: 0,
    starvedHints: [],
    medianEvidenceRank: 1,
    evidenceRanks: [1, null],
  }
  expect(retrievalSchema.parse(record)).toEqual(record)
})
