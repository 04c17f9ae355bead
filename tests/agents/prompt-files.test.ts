import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runOwnAgent } from '../../agents/loop.ts'
import { runOffline } from '../../agents/offline.ts'
import { loadPrompts } from '../../agents/prompts/load.ts'
import { ownPrompts } from '../../agents/prompts/own-prompts.ts'
import { DataError } from '../../src/core/errors.ts'
import type { AnswerSource } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import type { ModelSource } from '../../src/models/model-source.ts'
import { requireLaterSystemMessages } from '../../src/run/open-run/open-models.ts'
import { requirePrompts } from '../../src/run/plan/prompt-sets.ts'
import { question as aoeQuestion, calls, says, scripted, world } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'tablehunt-prompt-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const yaml = (text: string): string => {
  const file = join(folder, `${++files}.yaml`)
  writeFileSync(file, text)
  return file
}
const load = (text: string) => loadPrompts(yaml(text))

const asked: Question = {
  taskId: '8k_single_0',
  benchmark: 'longtablebench',
  domain: 'freight',
  language: 'en',
  query: 'Which ships are big?',
  documentNames: ['freight/ship', 'freight/port'],
  form: { kind: 'text', instructions: 'Answer with a list.' },
  facets: { turns: 'single' },
}
const conversation: Question = {
  ...asked,
  taskId: '8k_multi_0',
  turns: [{ query: 'What are their names?', form: { kind: 'text' } }],
  facets: { turns: 'multi' },
}
const documents = [
  { name: 'freight/ship', text: 'ship:\nid {question}\n\n' },
  { name: 'freight/port', text: 'port:\nid' },
]
const sources = (...names: AnswerSource[]): ReadonlySet<AnswerSource> => new Set(names)

describe("a benchmark's prompts in a file", () => {
  it('are filled with the question, its documents, their names and the form of the answer', async () => {
    const prompts = await load(`
longtablebench:
  system: "Language {language}. {form}"
  user: "{names}\\nTables:\\n{reference}\\nQ: {question} {{kept}}"
`)
    const { system, user } = prompts.withDocuments(asked, documents, true)
    expect(system).toBe('Language en. Answer with a list.')
    expect(user).toBe(
      '- freight/ship\n- freight/port\nTables:\nship:\nid {question}\n\nport:\nid\nQ: Which ships are big? {kept}',
    )
  })

  it('show documents between tags with their names, or their texts alone', async () => {
    const prompts = await load('longtablebench: { user: "{documents}|{reference}|{question}" }')
    const { user } = prompts.withDocuments(asked, [{ name: 'a', text: 'A' }], true)
    expect(user).toBe('<document name="a">\nA\n</document>|A|Which ships are big?')
  })

  it('show the schema of a JSON answer, and are refused for tasks without one', async () => {
    const prompts = await load('extract-bench: { user: "{documents} {question} {schema}" }')
    const json: Question = {
      ...asked,
      benchmark: 'extract-bench',
      form: { kind: 'json', schema: { type: 'object' } },
    }
    expect(prompts.withDocuments(json, [], true).user).toContain('{\n "type": "object"\n}')
    expect(prompts.missing?.(json)).toBeNull()
    expect(prompts.missing?.({ ...json, form: { kind: 'text' } })).toContain('no JSON Schema')
  })

  it('show the key columns with the question, as AOE’s layout does', async () => {
    const prompts = await load('longtablebench: { user: "{documents} {question}" }')
    const table: Question = { ...asked, form: { kind: 'table', keyColumns: ['Hotel'] } }
    expect(prompts.withDocuments(table, [], true).user).toMatch(/Which ships are big\?\n.*Hotel/)
  })

  it('show solved examples and the hint of a task, and are refused for tasks without them', async () => {
    const prompts = await load(`
structext:
  user: "{examples}\\n{reference}\\n{question}\\n{hint}"
  example: "{reference} {question} {answer}"
`)
    const task: Question = { ...asked, benchmark: 'structext', hint: 'Count.' }
    const examples = [{ query: 'q1', text: 't{hint}', answer: 'a1' }]
    const { user } = prompts.withDocuments({ ...task, examples }, [{ name: 'x', text: 'T' }], true)
    expect(user).toBe('t{hint} q1 a1\nT\nWhich ships are big?\nCount.')
    expect(prompts.missing?.(task)).toContain('structext shows {examples}')
    const { hint: _none, ...withoutHint } = task
    expect(prompts.missing?.({ ...withoutHint, examples })).toContain('structext shows {hint}')
  })

  it('are chosen by a facet, whose every value must have prompts', async () => {
    const text = `
longtablebench:
  by: turns
  single: { user: "At most 10. {documents} {question}" }
  multi: { user: "{documents} {question}", next: "And: {question}" }
`
    const file = yaml(text)
    const prompts = await loadPrompts(file)
    expect(prompts.withDocuments(asked, [], true).user).toMatch(/^At most 10\./)
    expect(prompts.withDocuments(conversation, [], true).user).not.toMatch(/^At most 10\./)
    expect(prompts.missing?.({ ...asked, facets: { turns: 'many' } })).toBe(
      `${file}: longtablebench.many is missing, and this task has turns many. Add it.`,
    )
    const misspelt = await load(text.replace('by: turns', 'by: turn'))
    expect(misspelt.missing?.(asked)).toMatch(
      /longtablebench\.by: this task has no facet turn\. Write one of domain, language, turns\.$/,
    )
  })

  it('have other texts with --cot off, where the file has them', async () => {
    const prompts = await load(`
longtablebench:
  system: Rules.
  user: "Think. {documents} {question}"
  next: "Think. {question}"
  noCot: { user: "{documents} {question}" }
`)
    expect(prompts.withDocuments(asked, [], true).user).toMatch(/^Think\./)
    expect(prompts.withDocuments(asked, [], false)).toEqual({
      system: 'Rules.',
      user: ' Which ships are big?',
    })
    expect(prompts.furtherTurn(conversation, conversation.turns![0]!, 'documents', false)).toMatch(/^Think\./)
  })

  it('ask closed-book with the same prompt and no documents, or with one of their own', async () => {
    const same = await load('longtablebench: { user: "Tables: {reference} {question}" }')
    expect(same.missing?.(asked, sources('documents', 'memory'))).toBeNull()
    expect(same.closedBook(asked, true).user).toBe('Tables:  Which ships are big?')
    const own = await load(`
longtablebench:
  user: "{documents} {question}"
  closedBook: { system: "From memory.", user: "{names} {question}" }
`)
    expect(own.closedBook(asked, true)).toEqual({
      system: 'From memory.',
      user: '- freight/ship\n- freight/port Which ships are big?',
    })
  })

  it('ask online only with a prompt for it, which gets no documents', async () => {
    const file = yaml('widesearch: { user: "{documents} {question}" }')
    const task: Question = { ...asked, benchmark: 'widesearch', form: { kind: 'table' } }
    const withoutOnline = await loadPrompts(file)
    expect(withoutOnline.missing?.(task, sources('web'))).toBe(
      `${file}: widesearch.online is missing, and a setting of this run searches the web. Add it, or leave that setting out of --setting.`,
    )
    expect(() => withoutOnline.online(task, true)).toThrow(DataError)
    const online = await load('widesearch: { online: { system: Search., user: "{question}" } }')
    expect(online.missing?.(task, sources('web'))).toBeNull()
    expect(online.online(task, true)).toEqual({ system: 'Search.', user: 'Which ships are big?' })
    expect(online.missing?.(task, sources('documents'))).toContain('widesearch.user is missing')
    expect(online.missing?.(task, sources('memory'))).toContain('widesearch.closedBook is missing')
  })

  it('need a prompt with documents for the controls of online, which show documents', async () => {
    const sets = new Map([['mine', await load('widesearch: { online: { user: "{question}" } }')]])
    const task: Question = { ...asked, benchmark: 'widesearch' }
    const check = (controls: readonly ('found-only' | 'oracle')[]) => () =>
      requirePrompts(sets, [task], { setting: ['online'], controls: [...controls] })
    expect(check([])).not.toThrow()
    expect(check(['found-only'])).toThrow(
      expect.objectContaining({
        code: 'missing-prompt',
        message: expect.stringMatching(/^prompts mine: 8k_single_0: .*widesearch\.user is missing/),
      }),
    )
  })

  it('need a text for the later questions of a conversation', async () => {
    const prompts = await load('longtablebench: { user: "{documents} {question}" }')
    expect(prompts.missing?.(asked)).toBeNull()
    expect(prompts.missing?.(conversation)).toMatch(/longtablebench\.next is missing/)
  })

  it('are used for their benchmark alone, beside those of other benchmarks and of AOE', async () => {
    const aoe =
      'en:\n  Get_predict_financial:\n    Task: { Instruction: AOE., Output: "{query} {input_doc}" }\n'
    const file = yaml(`${aoe}longtablebench: { user: "LTB. {documents} {question}" }\n`)
    const both = await loadPrompts(file)
    expect(both.withDocuments(asked, [], true).user).toMatch(/^LTB\./)
    expect(both.withDocuments(aoeQuestion, [], true).user).toMatch(/^AOE\./)
    expect(both.missing?.({ ...asked, benchmark: 'structext' })).toContain('Add the key structext')
    const text =
      'longtablebench: { user: "{documents} {question}" }\ncapitals: { online: { user: "{question}" } }'
    const named = yaml(text)
    expect((await loadPrompts(named)).missing?.(aoeQuestion)).toBe(
      `${named}: the key aoe is missing. The file has prompts for longtablebench, capitals. Add the key, or use other prompts.`,
    )
  })

  it('keep the hashes of earlier versions, and differ when any of their texts differs', async () => {
    const hash = async (text: string): Promise<string> => (await load(text)).hash
    const structext = 'structext:\n  user: "{reference} {question}"\n'
    const aoe =
      'en:\n  Get_predict_financial:\n    Task:\n      Instruction: Work in steps.\n      Output: "{query} {input_doc}"\n'
    expect(await hash(structext)).toBe('b0ed3a3a08a237d2ae77147181b59c4be4ff80dc4547a3b4d38c4e79021a4935')
    expect(await hash(`type: csv\n${aoe}`)).toBe(
      '29e2c65ee1b368557ced5443983e6debeeb68e101eb725407cc5b9ea6346cbe6',
    )
    expect((await loadPrompts('structext-naive')).hash).toBe(
      '08d2489915b215c626edcd32315f80c8bb98474c258ad681661ac8c4bec6f76d',
    )
    const texts = [
      ...[structext, aoe, `${aoe}${structext}`],
      ...['system: S', 'noCot: { user: "{question} {reference}" }', 'next: "{question}"'].map(
        more => `${structext}  ${more}\n`,
      ),
      `${structext}  earlierAnswers: system\n`,
      structext.replace('{question}', '{question} {form}'),
    ]
    const hashes = await Promise.all(texts.map(hash))
    expect(new Set(hashes).size).toBe(texts.length)
    expect(hashes).not.toContain(ownPrompts().hash)
  })

  it.each([
    [
      'a misspelt placeholder',
      'longtablebench: { user: "{documents} {qestion}" }',
      'longtablebench.user: {qestion} is not a placeholder here: write {question}. For braces that are part of the text, write {{qestion}}.',
    ],
    [
      'an unknown placeholder below a facet',
      'longtablebench: { by: turns, multi: { user: "{documents} {question}", next: "{question} {tabular}" } }',
      'longtablebench.multi.next: {tabular} is not a placeholder here: the placeholders are {question}, {form}, {schema}, {names}, {language}.',
    ],
    [
      'documents in a prompt without them',
      'longtablebench: { online: { user: "{documents} {question}" } }',
      'longtablebench.online.user: {documents} is not a placeholder here',
    ],
    [
      'a single brace',
      `longtablebench: { user: '{documents} {question} {"a": 1}' }`,
      `longtablebench.user: a single brace before '{"a": 1}'. Write {{ and }}`,
    ],
    [
      'a prompt without the question',
      'longtablebench: { user: "{documents}" }',
      'longtablebench.user: {question} is missing. Add it.',
    ],
    [
      'documents in the system message alone',
      'longtablebench: { system: "{documents}", user: "{question}" }',
      'longtablebench.user: {documents} or {reference} is missing.',
    ],
    [
      'a prompt without documents, with --cot off',
      'longtablebench: { user: "{documents} {question}", noCot: { user: "{question}" } }',
      'longtablebench.noCot.user: {documents} or {reference} is missing.',
    ],
    [
      'a later question without the question',
      'longtablebench: { user: "{documents} {question}", next: And? }',
      'longtablebench.next: {question} is missing. Add it.',
    ],
    [
      'examples without a text for each',
      'structext: { user: "{examples} {reference} {question}", example: "{question}" }',
      'structext.example: {answer} is missing',
    ],
    [
      'examples without the key example',
      'structext: { user: "{examples} {reference} {question}" }',
      'structext: the key example is missing, and {examples} needs it. Add it: a text with {question}, {reference} and {answer}.',
    ],
    [
      'a misspelt field',
      'longtablebench: { user: "{documents} {question}", earlierAnswer: system }',
      'longtablebench: unknown field earlierAnswer. Correct it.',
    ],
    [
      'a role that does not exist',
      'longtablebench: { user: "{documents} {question}", earlierAnswers: user }',
      'longtablebench.earlierAnswers: one of assistant, system is expected.',
    ],
    ['no prompt at all', 'longtablebench: { system: Rules. }', 'longtablebench.user: is missing'],
    [
      'a facet without values',
      'longtablebench: { by: turns }',
      'longtablebench: there are no prompts beside by. Add them for each value of turns.',
    ],
    [
      'a text in place of prompts',
      'longtablebench: Answer.',
      'longtablebench: is a text, an object is expected. Correct it.',
    ],
    ['an empty file', '', 'not a YAML map. Write a map whose keys are names of benchmarks, or en or zh.'],
  ])('refuse %s with the file, the key and what to do', async (_what, text, words) => {
    const file = yaml(text)
    const error = await loadPrompts(file).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(DataError)
    expect((error as DataError).code).toBe('invalid-prompts')
    expect((error as DataError).message).toContain(`--prompts ${file}: ${words}`)
  })
})

it('a misspelt name of prompts is an error with the right name, and the page that lists the names', async () => {
  await expect(loadPrompts('structext-naiv')).rejects.toMatchObject({
    code: 'unreadable-prompts',
    message: expect.stringMatching(
      /no such file\. Did you mean 'structext-naive'\? .*docs\/prompts\.md lists/,
    ),
  })
  await expect(loadPrompts('nope.yaml')).rejects.toThrow(/no such file\. Name a YAML file/)
})

it("StrucText-Eval's built-in prompts ask one question about a text, and do not search", async () => {
  const prompts = await loadPrompts('structext-few-shot')
  const task: Question = { ...asked, benchmark: 'structext', facets: { language: 'json' } }
  const examples = [{ query: 'q', text: 't', answer: 'a' }]
  expect(prompts.withDocuments({ ...task, examples }, [{ name: 'x', text: '{}' }], true)).toEqual({
    system: expect.stringContaining('structured languages: json.'),
    user: expect.stringContaining('# Text\n{}\n\n# Question\nWhich ships are big?'),
  })
  expect(prompts.missing?.(task)).toContain('no solved examples')
  expect(prompts.missing?.({ ...task, examples }, sources('documents', 'memory'))).toBeNull()
  expect(prompts.missing?.({ ...task, examples }, sources('web'))).toContain('do not say how to search')
  expect(prompts.missing?.({ ...conversation, examples })).toContain('ask for one text')
})

describe('earlier answers of a conversation', () => {
  const text = (role: string): string => `
longtablebench:
  user: "{reference} {question}"
  next: "Q: {question}"
  earlierAnswers: ${role}
  online: { user: "{question}", next: "Q: {question}" }
`
  const hasAnswer = (answer: string): boolean => answer.trim() !== ''

  it.each([
    ['assistant', 'ai'],
    ['system', 'system'],
  ])('are sent with the role %s, after the documents, which are sent once', async (role, kind) => {
    const prompts = await load(text(role))
    const model = scripted({ turns: [says('["1"]'), says('["Ada"]')] })
    const { environment, of } = world(model, { prompts, hasAnswer })
    const outcome = await runOffline(conversation, environment)
    expect(outcome.turnTexts).toEqual(['["1"]', '["Ada"]'])
    const last = model.requests[1]!.messages.map(message => [message.getType(), message.text])
    expect(last).toEqual([
      ['human', ' Which ships are big?'],
      [kind, '["1"]'],
      ['human', 'Q: What are their names?'],
    ])
    const reported = of('model-called').map(({ messages }) => messages.map(message => message.role))
    expect(reported).toEqual([['user'], [role, 'user']])
  })

  it('cost the same tokens in either role', async () => {
    const tokens = async (role: string): Promise<number[]> => {
      const model = scripted({ turns: [says('["1"]'), says('["Ada"]')] })
      const { environment, of } = world(model, {
        prompts: await load(text(role)),
        hasAnswer,
        caps: { tokens: 9_999 },
      })
      await runOffline(conversation, environment)
      return of('budget-charged').flatMap(({ kind, total }) => (kind === 'tokens' ? [total] : []))
    }
    expect(await tokens('system')).toEqual(await tokens('assistant'))
  })

  it('are system messages in the conversation of an agent, too', async () => {
    const prompts = await load(text('system'))
    const model = scripted({
      turns: [calls(['web_search', { queries: ['ships'] }]), says('["1"]'), says('["Ada"]')],
    })
    await runOwnAgent(conversation, world(model, { prompts, hasAnswer }).environment)
    const last = model.requests[2]!.messages.map(message => message.getType())
    expect(last).toEqual(['system', 'human', 'ai', 'tool', 'system', 'human'])
  })

  it('are refused as system messages before a run of a model that takes these only at the beginning', async () => {
    const sets = new Map([['published', await load(text('system'))]])
    const model = (systemFirst: boolean) =>
      new Map([
        [
          'm',
          {
            name: 'm',
            describe: () => ({}),
            forAttempt: () => scripted({ turns: [] }),
            systemFirst,
          } satisfies ModelSource,
        ],
      ])
    expect(() => requireLaterSystemMessages(model(false), sets, [conversation])).not.toThrow()
    expect(() => requireLaterSystemMessages(model(true), sets, [asked])).not.toThrow()
    expect(() => requireLaterSystemMessages(model(true), sets, [conversation])).toThrow(
      expect.objectContaining({
        code: 'system-message-not-supported',
        message: expect.stringMatching(/^prompts published: 8k_multi_0: .*earlierAnswers: assistant/),
      }),
    )
  })
})
