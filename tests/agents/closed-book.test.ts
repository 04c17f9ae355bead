import { describe, expect, it } from 'vitest'
import { runClosedBook } from '../../agents/closed-book.ts'
import { aoePrompts } from '../../agents/prompts/aoe-prompts.ts'
import { furtherTexts, hashWith } from '../../agents/prompts/further-texts.ts'
import { ownPrompts } from '../../agents/prompts/own-prompts.ts'
import { readPublishedPrompts } from '../../agents/prompts/published-prompts.ts'
import { promptsVersion } from '../../agents/prompts/words.ts'
import { ProviderError } from '../../src/core/errors.ts'
import type { AnswerForm, Question } from '../../src/core/task.ts'
import { question, says, scripted, table, world } from './harness.ts'

describe('the closed-book setting', () => {
  it('asks once with the question and the document names, without documents and tools', async () => {
    const model = scripted({ turns: [says(table)] })
    const documents = async () => {
      throw new Error('documents were read')
    }
    const outcome = await runClosedBook(question, world(model, { documents }).environment)
    expect(outcome).toMatchObject({ answerText: table, context: null, retrieval: null, chunks: null })
    expect(outcome.termination).toMatchObject({ cause: 'agent', reason: 'answered', answerProduced: true })
    expect(model.requests).toHaveLength(1)
    expect(model.requests[0]!.options.tools).toEqual([])
    const said = model.requests[0]!.messages.map(message => message.text).join('\n')
    expect(said).toContain('Compare revenue.')
    expect(said).toContain('- a.pdf')
    expect(said).not.toContain('<document')
    expect(said).not.toContain('web_search')
  })

  it('ends without an answer when the model writes none, a budget is used up or the provider fails', async () => {
    const end = async (turn: ReturnType<typeof says> | Error, caps = {}) =>
      (await runClosedBook(question, world(scripted({ turns: [turn] }), { caps }).environment)).termination
    expect(await end(says('I do not know.'))).toMatchObject({ reason: 'answered-without-table' })
    expect(await end(says(table), { tokens: 5 })).toMatchObject({ cause: 'budget', reason: 'tokens' })
    const refused = new ProviderError('auth', 'no key', { retryable: false })
    expect(await end(refused)).toMatchObject({ cause: 'provider', reason: 'auth' })
  })
})

const forms: AnswerForm[] = [
  { kind: 'table' },
  { kind: 'json', schema: { type: 'object', properties: { depth: { type: 'number' } } } },
  { kind: 'text' },
  { kind: 'text', isList: true },
  { kind: 'text', instructions: 'Write one letter.' },
]

describe.each(['en', 'zh', 'de'])('closed-book prompts in %s', language => {
  it.each(forms)('ask for $kind without mentioning given documents', form => {
    const { system, user } = ownPrompts().closedBook({ ...question, language, form }, true)
    expect(system).toMatch(/No documents? (?:is|are) given|没有提供任何文档/)
    expect(`${system}\n${user}`).not.toMatch(/web_search|follows? the question|附在问题/)
    expect(/[\u4e00-\u9fff]/.test(system + user)).toBe(language === 'zh')
  })
})

it('exist for --prompts aoe-conventions, but not for published prompts', async () => {
  const { system } = aoePrompts().closedBook(question, true)
  expect(system).toContain('<schema>')
  expect(system).not.toContain('follow the question')
  const { mkdtempSync, writeFileSync, rmSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const folder = mkdtempSync(`${tmpdir()}/tablehunt-closed-`)
  try {
    const text = 'en: { Get_predict_financial: { Task: { Instruction: A, Output: "{query} {input_doc}" } } }'
    writeFileSync(`${folder}/p.yaml`, text)
    const published = await readPublishedPrompts(`${folder}/p.yaml`, [])
    expect(published.missing!(question, new Set(['documents']))).toBeNull()
    expect(published.missing!(question, new Set(['memory', 'documents']))).toContain('closed-book')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

describe('prompts for text answers', () => {
  const asked = (form: AnswerForm, language = 'en'): Question => ({ ...question, form, language })
  const prompts = ownPrompts()

  it.each(['en', 'zh'])('describe the form of the answer in every setting (%s)', language => {
    for (const cot of [true, false]) {
      const of = (form: AnswerForm) => [
        prompts.withDocuments(asked(form, language), [{ name: 'a.pdf', text: 'A.' }], cot),
        prompts.online(asked(form, language), cot),
        prompts.closedBook(asked(form, language), cot),
      ]
      for (const { user } of of({ kind: 'text' })) expect(user).toContain('</answer>')
      for (const { user } of of({ kind: 'text', isList: true }))
        expect(user).toMatch(/one item per line|每项占一行/)
      for (const { user } of of({ kind: 'text', instructions: 'Answer: list[str]' })) {
        expect(user).toContain('Answer: list[str]')
        expect(user).not.toContain('</answer>')
      }
      for (const { system, user } of of({ kind: 'text' })) expect(system + user).not.toContain('csv')
    }
  })
})

it.each(forms)('prompts for $kind do not mention document names when the question has none', form => {
  const unnamed: Question = { ...question, domain: 'sport', documentNames: [], form }
  const { system, user } = ownPrompts().online(unnamed, true)
  expect(system).not.toMatch(/names? of the documents|document's name/)
  expect(user).not.toMatch(/# Documents|as listed/)
  const offline = ownPrompts().withDocuments(unnamed, [{ name: 'x', text: 'X.' }], true)
  expect(offline.user).not.toMatch(/# Documents|as listed/)
})

describe("the hash of a run's prompts", () => {
  it('changes only with a new version of the prompts', () => {
    expect(promptsVersion).toBe(5)
    expect(ownPrompts().hash).toBe('25a8c7244fc0d794ab3e486fccdd3b7721133bf5d30166a39b3ecd10a267526d')
    expect(aoePrompts().hash).toBe('dec46a6735f1474b6fc984e8c3bd16ccf2e04fe6e9337bd2a4adf4166f0c2568')
  })

  it('ignores texts that tables and JSON from named documents do not use', () => {
    const texts = furtherTexts([question], new Set(['documents', 'web']))
    expect(hashWith('h', texts)).toBe('h')
  })

  it('covers the further texts that the tasks and settings can use', () => {
    const documents = new Set(['documents'] as const)
    const hashes = [
      furtherTexts([question], documents),
      furtherTexts([question], new Set(['memory'] as const)),
      furtherTexts([{ ...question, form: { kind: 'text' } }], documents),
      furtherTexts([{ ...question, documentNames: [] }], documents),
      furtherTexts([{ ...question, turns: [{ query: 'And?', form: { kind: 'table' } }] }], documents),
    ].map(texts => hashWith('h', texts))
    expect(new Set(hashes).size).toBe(5)
  })
})
