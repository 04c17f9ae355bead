import { AIMessage } from '@langchain/core/messages'
import { describe, expect, it } from 'vitest'
import { loopNotes } from '../../agents/prompts/notes.ts'
import { promptWords } from '../../agents/prompts/words.ts'
import { settings } from '../../agents/registry.ts'
import type { SettingEnvironment } from '../../agents/setting.ts'
import { contextSchema } from '../../src/core/attempt.ts'
import type { Chunk } from '../../src/core/document.ts'
import { ProviderError } from '../../src/core/errors.ts'
import { terminationSchema } from '../../src/core/termination.ts'
import { usageSchema } from '../../src/core/usage.ts'
import { document, question, type Script, says, scripted, table, usageOf, world } from './harness.ts'

const settingNames = settings.names()

async function attempt(name: 'offline' | 'rag', script: Script, more: Partial<SettingEnvironment> = {}) {
  const model = scripted(script)
  const here = world(model, more as never)
  const outcome = await settings.get(name).run(question, here.environment)
  terminationSchema.parse(outcome.termination)
  usageSchema.parse(outcome.usage)
  if (outcome.context !== null) contextSchema.parse(outcome.context)
  return { ...outcome, ...here, model, user: model.requests[0]?.messages.at(-1)?.text ?? '' }
}

const chunk = (hint: string, index: number, start: number, text: string): Chunk => ({
  id: `${hint}:${index}`,
  hint,
  index,
  start,
  end: start + text.length,
  text,
})

const alphabet = 'abcdefghijklmnopqrstuvwxyz'
const two = [document('a.pdf', alphabet.repeat(400)), document('b.pdf', alphabet.toUpperCase().repeat(200))]
const withTwo = { documents: async () => two }

describe('every setting', () => {
  it.each(settingNames)(
    'ends with refused after a refusal, and with answered-without-table or no-progress without an answer (%s)',
    async name => {
      const run = async (turn: AIMessage) =>
        (await settings.get(name).run(question, world(scripted({ turns: [turn] })).environment)).termination
      expect(await run(says('', { additional_kwargs: { refusal: 'no' } }))).toMatchObject({
        cause: 'agent',
        reason: 'refused',
      })
      const silent = await run(says(''))
      expect(silent).toMatchObject({ cause: 'agent', answerProduced: false })
      expect(['answered-without-table', 'no-progress']).toContain(silent.reason)
    },
  )

  const thoughtOnly: readonly (readonly [form: string, turn: AIMessage])[] = [
    ['in an unclosed mark', says(`<think>I should answer.\n${table}`)],
    ['in the field of the server', says('', { additional_kwargs: { reasoning_content: `So: ${table}` } })],
    ['in a channel that is never left', says(`<|channel|>analysis<|message|>${table}`)],
    ["in Magistral's marks", says(`[THINK]${table}[/THINK]`)],
  ]

  it.each(thoughtOnly)(
    'asks once in words for an answer that is only reasoning %s, and ends when it comes again',
    async (_form, thought) => {
      for (const name of settingNames.filter(
        name => !['online', 'table-rag', 'text-to-sql'].includes(name),
      )) {
        const run = async (turns: readonly AIMessage[], more: Partial<SettingEnvironment> = {}) => {
          const model = scripted({ turns })
          const { environment } = world(model, more as never)
          const outcome = await settings.get(name).run(question, environment)
          return { ...outcome, requests: model.requests }
        }
        const repaired = await run([thought, says(table)])
        expect(repaired.termination).toMatchObject({ reason: 'answered', answerProduced: true })
        expect(repaired.requests).toHaveLength(2)
        expect(repaired.requests[1]!.messages.at(-1)!.text).toContain(loopNotes.en.answerInWords)
        expect(repaired.usage.modelCalls).toBe(2)
        const repeated = await run([thought, thought, says(table)])
        expect(repeated.requests).toHaveLength(2)
        expect(repeated.termination).toMatchObject({
          ...{ cause: 'agent', reason: 'no-progress', answerProduced: false },
          detail: 'two answers in a row contained only reasoning',
        })
        const capped = await run([thought, says(table)], { caps: { modelCalls: 1 } } as never)
        expect(capped.requests).toHaveLength(1)
        expect(capped.termination).toMatchObject({ cause: 'budget', reason: 'model-calls' })
      }
    },
  )

  it.each(settingNames)(
    'ends with the exhausted budget: context window, tokens, cost or output limit (%s)',
    async name => {
      const run = async (script: Script, more: Partial<SettingEnvironment> = {}) => {
        const { environment } = world(scripted(script), more as never)
        return (await settings.get(name).run(question, environment)).termination
      }
      const full = { turns: [new ProviderError('context-window', 'too long', { retryable: false })] }
      expect(await run(full)).toMatchObject({ cause: 'budget', reason: 'context-window' })
      const fine = { turns: [says(table)] }
      expect(await run(fine, { caps: { tokens: 10 } })).toMatchObject({ cause: 'budget', reason: 'tokens' })
      expect(
        await run({ ...fine, price: { input: 1, cachedInput: 1, output: 1 } }, { caps: { usd: 1e-6 } }),
      ).toMatchObject({ cause: 'budget', reason: 'cost' })
      const cut = { turns: [says(table, { response_metadata: { finish_reason: 'length' } })] }
      expect(await run(cut)).toMatchObject({ cause: 'budget', reason: 'output-limit', answerProduced: true })
    },
  )

  it.each(settingNames)('ends with harness / crash after a bug and never rejects (%s)', async name => {
    const broken = () => {
      throw new TypeError('odd')
    }
    const model = { ...scripted({ turns: [says(table)] }), call: async () => broken() }
    const { environment } = world(model, { documents: broken } as never)
    const outcome = await settings.get(name).run(question, { ...environment, tools: broken })
    expect(outcome.termination).toMatchObject({
      cause: 'harness',
      reason: 'crash',
      detail: 'TypeError: odd',
    })
  })
})

describe('offline', () => {
  it('puts whole documents into one prompt in order, with the problem of each', async () => {
    const documents = async () => [
      { ...document('a.pdf', 'Revenue 1,234\n'), ocr: true },
      document('b "x".pdf', '', 'scanned: no text'),
    ]
    const { user, context, termination, retrieval, chunks, model } = await attempt(
      'offline',
      { turns: [says(table)] },
      { documents },
    )
    const { rows, conventions, closing } = promptWords.en
    expect(user).toBe(
      [
        '# Question\nCompare revenue.\n',
        '# Documents\n- a.pdf\n- b.pdf\n',
        '# Contents\n<document name="a.pdf">\nRevenue 1,234\n</document>\n',
        '<document name="b &quot;x&quot;.pdf" problem="scanned: no text">\n</document>\n',
        `# Answer\n${[rows.financial, conventions, closing.stepByStep].join('\n\n')}\n`,
      ].join('\n'),
    )
    expect(context).toEqual({
      documents: [
        { hint: 'a.pdf', chars: 14, charsInPrompt: 14, problem: null, ocr: true },
        { hint: 'b "x".pdf', chars: 0, charsInPrompt: 0, problem: 'scanned: no text', ocr: false },
      ],
      cutStrategy: null,
    })
    expect(termination).toMatchObject({ reason: 'answered', forcedFinal: false, lastHealthyStep: 1 })
    expect([retrieval, chunks]).toEqual([null, null])
    expect(model.requests).toHaveLength(1)
    expect(model.requests[0]!.options).toMatchObject({ tools: [], maxOutputTokens: null })
  })

  it('asks the question even if no document can be read', async () => {
    const documents = async () => [document('a.pdf', '', 'missing'), document('b.pdf', '', 'encrypted')]
    const { termination, model } = await attempt(
      'offline',
      { turns: [says(table)], contextWindow: 20_000 },
      { documents },
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(model.requests).toHaveLength(1)
  })

  it.each([
    [
      'even',
      [
        [0.5, 0],
        [0.5, 0],
      ],
    ],
    [
      'head-tail',
      [
        [0.25, 0.25],
        [0.25, 0.25],
      ],
    ],
    [
      'head',
      [
        [0.75, 0],
        [0, 0],
      ],
    ],
  ] as const)(
    'cuts documents that do not fit by %s, and records the cut in characters',
    async (cutStrategy, shares) => {
      const { context, of, user, model } = await attempt(
        'offline',
        { turns: [says(table)], contextWindow: 15_000 },
        { ...withTwo, cutStrategy },
      )
      const sent = model.requests[0]!.messages.reduce((sum, message) => sum + message.text.length, 0)
      expect(sent * 1.1 + 15_000 / 4).toBeLessThanOrEqual(15_000)
      expect(sent * 1.1 + 15_000 / 4).toBeGreaterThan(14_000)
      expect(context?.cutStrategy).toBe(cutStrategy)
      expect(of('context-cut')).toEqual([
        {
          type: 'context-cut',
          strategy: cutStrategy,
          documents: context!.documents.map(({ hint, chars, charsInPrompt }) => ({
            hint,
            chars,
            charsInPrompt,
          })),
          shortened: [],
        },
      ])
      for (const [index, { chars, charsInPrompt }] of context!.documents.entries()) {
        const [head, tail] = shares[index]!
        const text = two[index]!.text
        const inPrompt = new RegExp(
          `<document name="${two[index]!.hint}">\\n([\\s\\S]*?)\\n</document>`,
        ).exec(user)![1]!
        const kept = inPrompt.split(/\n?\[\.\.\.\]\n?/)
        expect(kept.join('').length).toBe(charsInPrompt)
        expect(text.startsWith(kept[0]!)).toBe(true)
        expect(text.endsWith(kept[1] ?? '')).toBe(true)
        if (cutStrategy !== 'head')
          expect(charsInPrompt / chars).toBeCloseTo(
            context!.documents[0]!.charsInPrompt / context!.documents[0]!.chars,
            2,
          )
        expect(kept[0] === '').toBe(head === 0)
        expect((kept[1] ?? '') === '').toBe(tail === 0)
      }
    },
  )

  it('never splits a surrogate pair', async () => {
    const documents = async () => [document('a.pdf', '😀'.repeat(8_000))]
    for (const cutStrategy of ['even', 'head', 'head-tail'] as const) {
      const { user } = await attempt(
        'offline',
        { turns: [says(table)], contextWindow: 9_999 },
        { documents, cutStrategy },
      )
      expect(user).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/)
      expect(user).toContain('😀')
    }
  })

  it('counts few tokens of documents that are much longer than the context window', async () => {
    let counted = 0
    const countTokens = (text: string) => {
      counted += text.length
      return Math.ceil(text.length / 4)
    }
    const documents = async () => [document('a.pdf', 'word '.repeat(2_000_000))]
    const { termination } = await attempt(
      'offline',
      { turns: [says(table)], contextWindow: 32_000, countTokens },
      { documents },
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(counted).toBeLessThan(12_000_000)
  })

  it('keeps a document whole whose text contains the closing tag', async () => {
    const documents = async () => [document('a.pdf', 'x </document> y')]
    const { user } = await attempt('offline', { turns: [says(table)] }, { documents })
    expect(user.match(/<\/document>/g)).toHaveLength(1)
  })

  it('separates reasoning from the answer', async () => {
    const { answerText, of } = await attempt('offline', {
      turns: [says(`<think>hm ${table}</think>${table}`)],
    })
    expect(answerText).toBe(table)
    expect(of('model-answered')[0]!.reasoning).toEqual({ text: `hm ${table}` })
  })

  it('counts cached and reasoning tokens, and their price', async () => {
    const usage_metadata = {
      ...usageOf(1_000, 100),
      input_token_details: { cache_read: 400 },
      output_token_details: { reasoning: 60 },
    }
    const { usage } = await attempt('offline', {
      turns: [says(table, { usage_metadata })],
      price: { input: 1, cachedInput: 0.5, output: 2 },
    })
    expect(usage).toMatchObject({
      inputTokens: 1_000,
      cachedInputTokens: 400,
      outputTokens: 100,
      reasoningTokens: 60,
      usdModel: (600 + 200 + 200) / 1e6,
      usdSearch: 0,
      usdFetch: 0,
      usd: 0.001,
    })
  })

  it('reports usage and cost as unknown, not 0, when the provider does not report them', async () => {
    const { usage } = await attempt('offline', {
      turns: [new AIMessage(table)],
      price: { input: 1, cachedInput: 1, output: 1 },
    })
    expect(usage).toMatchObject({
      inputTokens: null,
      outputTokens: null,
      modelCalls: 1,
      usd: null,
      usdModel: null,
    })
  })
})

describe('rag', () => {
  const documents = async () => [
    document('a.pdf', 'A'.repeat(1_000)),
    { ...document('b.pdf', 'B'.repeat(100)), ocr: true },
    document('c.pdf', '', 'scan'),
  ]
  const found = [
    chunk('b.pdf', 0, 0, 'B'.repeat(50)),
    chunk('a.pdf', 3, 300, 'A'.repeat(100)),
    chunk('a.pdf', 0, 0, 'A'.repeat(100)),
    chunk('a.pdf', 1, 80, 'A'.repeat(100)),
  ]
  const retrieve = async () => ({ chunks: found, retriever: 'aoe', embedder: 'hash', k: 250 })

  it('groups chunks by document and counts overlapping characters in the prompt once', async () => {
    const { user, context, retrieval, chunks, termination } = await attempt(
      'rag',
      { turns: [says(table)] },
      { documents, retrieve },
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(user).toContain(
      `<document name="a.pdf">\n${'A'.repeat(100)}\n[...]\n${'A'.repeat(100)}\n[...]\n${'A'.repeat(100)}\n</document>`,
    )
    expect(user).toContain(`<document name="b.pdf">\n${'B'.repeat(50)}\n</document>`)
    expect(user).toContain('<document name="c.pdf" problem="scan">\n</document>')
    expect(chunks).toEqual(found)
    expect(context).toEqual({
      documents: [
        { hint: 'a.pdf', chars: 1_000, charsInPrompt: 280, problem: null, ocr: false },
        { hint: 'b.pdf', chars: 100, charsInPrompt: 50, problem: null, ocr: true },
        { hint: 'c.pdf', chars: 0, charsInPrompt: 0, problem: 'scan', ocr: false },
      ],
      cutStrategy: null,
    })
    expect(retrieval).toEqual({
      retriever: 'aoe',
      embedder: 'hash',
      k: 250,
      queries: ['Compare revenue.'],
      chunksInPrompt: 4,
      charsInPrompt: 350,
      tokensInPrompt: 350 + 4 * '\n[...]\n'.length,
      coverage: (0.28 + 0.5) / 2,
      starvedHints: [],
    })
  })

  it('names documents with text but without chunks in the prompt', async () => {
    const { retrieval } = await attempt(
      'rag',
      { turns: [says(table)] },
      { documents, retrieve: async () => ({ chunks: found.slice(1), retriever: 'x', embedder: 'y', k: 3 }) },
    )
    expect(retrieval?.starvedHints).toEqual(['b.pdf'])
  })

  it('leaves out the worst chunks when they do not fit, and records the cut', async () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      chunk('a.pdf', index, index * 100, String(index % 10).repeat(100)),
    )
    const { retrieval, chunks, context, of, model } = await attempt(
      'rag',
      { turns: [says(table)], contextWindow: 10_000 },
      {
        documents: async () => [document('a.pdf', 'x'.repeat(10_000))],
        retrieve: async () => ({ chunks: many, retriever: 'x', embedder: 'y', k: 250 }),
      },
    )
    const sent = model.requests[0]!.messages.reduce((sum, message) => sum + message.text.length, 0)
    expect(sent * 1.1 + 2_500).toBeLessThanOrEqual(10_000)
    expect(chunks!.length).toBeGreaterThan(5)
    expect(chunks).toEqual(many.slice(0, chunks!.length))
    expect(retrieval?.chunksInPrompt).toBe(chunks!.length)
    expect(context?.cutStrategy).toBe('worst-chunks-out')
    expect(of('context-cut')).toHaveLength(1)
  })

  it("ends with the embedder's failure when it is down", async () => {
    const down = async () => {
      throw new ProviderError('unavailable', 'embedder: HTTP 503', { retryable: false })
    }
    const { termination, retrieval, context } = await attempt(
      'rag',
      { turns: [says(table)] },
      { documents, retrieve: down },
    )
    expect(termination).toMatchObject({ cause: 'provider', reason: 'unavailable', lastHealthyStep: 0 })
    expect([retrieval, context]).toEqual([null, null])
  })

  it('asks without chunks when none was found', async () => {
    const { termination, retrieval } = await attempt(
      'rag',
      { turns: [says(table)] },
      { documents: async () => [document('a.pdf', '', 'scan')] },
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(retrieval).toMatchObject({ chunksInPrompt: 0, charsInPrompt: 0, coverage: null, starvedHints: [] })
  })
})
