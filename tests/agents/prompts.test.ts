import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadPrompts } from '../../agents/prompts/load.ts'
import { loopNotes, noteTexts } from '../../agents/prompts/notes.ts'
import { ownPrompts } from '../../agents/prompts/own-prompts.ts'
import { promptWords } from '../../agents/prompts/words.ts'
import { DataError } from '../../src/core/errors.ts'
import type { PromptMessages } from '../../src/core/prompts.ts'
import { exampleTable, promptExamples } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { parseAnswer, parseAttemptAnswer } from '../../src/score/answer/parse-answer.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { question } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'tablehunt-prompts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const yaml = (text: string): string => {
  const file = join(folder, `${++files}.yaml`)
  writeFileSync(file, text)
  return file
}

const whole = ({ system, user }: PromptMessages): string => `${system}\n${user}`

const domains = ['financial', 'legal', 'academic', 'sport']
const languages = ['en', 'zh'] as const
const every = domains.flatMap(domain =>
  languages.map(language => ({ ...question, domain, language }) satisfies Question),
)

describe('the built-in prompts', () => {
  it('include every note of the agent loop in their hash', () => {
    const texts = noteTexts()
    for (const notes of Object.values(loopNotes)) {
      for (const note of Object.values(notes)) if (typeof note === 'string') expect(texts).toContain(note)
      for (const refused of Object.values(notes.refused)) expect(texts).toContain(refused)
      expect(texts).toContain(notes.malformedCall('FIRST', 'SECOND'))
      expect(texts).toContain(notes.context.summarise)
      expect(texts).toContain(notes.reader.system)
      expect(texts).toContain(notes.tools.optional.calculate)
    }
    const { refused, context, reader, tools, ...others } = loopNotes.en
    const { optional, missing } = tools
    const each = [others, refused, context, reader, optional, { missing }].flatMap(Object.keys).length
    expect(texts).toHaveLength(each * Object.keys(loopNotes).length)
  })

  it.each(every)(
    'state the conventions in $language for $domain, with and without chain of thought',
    asked => {
      const prompts = ownPrompts()
      const texts = [true, false].flatMap(cot =>
        [prompts.withDocuments(asked, [], cot), prompts.online(asked, cot)].map(whole),
      )
      expect(new Set(texts).size).toBe(4)
      for (const text of texts)
        for (const words of ['```csv', 'null', '51700', '4500000', '12.36', '-1234'])
          expect(text).toContain(words)
      const chinese = /[\u4e00-\u9fff]/
      for (const text of texts) expect(chinese.test(text)).toBe(asked.language === 'zh')
    },
  )

  it("contain none of the benchmark's column names", () => {
    const source = [
      readFileSync(join(packageRoot, 'agents/prompts/words.ts'), 'utf8'),
      readFileSync(join(packageRoot, 'src/core/prompts.ts'), 'utf8'),
    ]
      .join('\n')
      .toLowerCase()
    const columns = [
      ...[
        'filename',
        'reporting period',
        'total assets',
        'net profit',
        'stockholders',
        'return on equity',
        'share capital',
        'liabilit',
      ],
      ...['cited paper title', 'referencing paper', 'referenced content', 'paper_name'],
      ...[
        '文档名称',
        '报表所属期',
        '资产总额',
        '营业收入',
        '净利润',
        '所有者权益',
        '净资产',
        '股本',
        '负债',
        '现金流',
        '每股收益',
      ],
      ...['案件名', '关联索引', '被告', '罪名', '刑期', '缓刑', '处罚金', '没收', '剥夺', '其他判决'],
    ]
    for (const column of columns) expect(source).not.toContain(column)
  })

  it('use the same layout of the user message in both languages', () => {
    const documents = [{ name: 'a.md', text: '正文' }]
    const asked = { ...question, language: 'zh' as const, query: ' 比较收入。\n', documentNames: ['a.md'] }
    const { rows, conventions, closing, closingOnline } = promptWords.zh
    const rules = `${rows.financial}\n\n${conventions}`
    expect(ownPrompts().withDocuments(asked, documents, true).user).toBe(
      `# 问题\n比较收入。\n\n# 文档\n- a.md\n\n# 内容\n<document name="a.md">\n正文\n</document>\n\n# 答案\n${rules}\n\n${closing.stepByStep}\n`,
    )
    expect(ownPrompts().online(asked, true).user).toBe(
      `# 问题\n比较收入。\n\n# 文档\n- a.md\n\n# 答案\n${rules}\n\n${closingOnline.stepByStep}\n`,
    )
  })

  it('contain only the query, the file names and the form of the answer in the setting online', () => {
    const { user } = ownPrompts().online(question, true)
    const { rows, conventions, closingOnline } = promptWords.en
    const answer = [rows.financial, conventions, closingOnline.stepByStep].join('\n\n')
    expect(user).toBe(
      `# Question\nCompare revenue.\n\n# Documents\n- a.pdf\n- b.pdf\n\n# Answer\n${answer}\n`,
    )
  })

  it.each(languages)(
    'end with the form of the answer in one sentence in %s, for tables and JSON',
    language => {
      const schema = { type: 'object', properties: { beds: { type: 'integer' } } }
      for (const asked of [
        { ...question, language },
        { ...question, language, form: { kind: 'json' as const, schema } },
      ])
        for (const cot of [true, false])
          for (const { user } of [
            ownPrompts().withDocuments(asked, [{ name: 'a.pdf', text: 'x' }], cot),
            ownPrompts().online(asked, cot),
          ]) {
            const last = user.trimEnd().split('\n').at(-1) ?? ''
            expect(last).toContain(asked.form.kind === 'json' ? '```json' : '```csv')
            expect(last.match(/[.。](?=\s|$)/g)).toHaveLength(1)
          }
    },
  )

  it.each(languages)('contain a worked example in %s whose answer can be parsed', language => {
    const { system } = ownPrompts().withDocuments({ ...question, domain: 'sport', language }, [], true)
    const parsed = parseAnswer(system)
    const expected = exampleTable(promptExamples[language], promptWords[language].documentColumn.general)
    expect(parsed).toMatchObject({ status: 'table', header: expected[0], rows: expected.slice(1) })
    expect(parseAttemptAnswer(system).status).toBe('unreadable')
  })

  it('name the key columns of a question that shows them, in all prompts', async () => {
    const asked = { ...question, form: { kind: 'table' as const, keyColumns: ['Hotel', 'Year'] } }
    const sets = [ownPrompts(), await loadPrompts('aoe-conventions'), await loadPrompts(yaml(published))]
    for (const prompts of sets)
      for (const [shown, hidden] of [
        [prompts.online(asked, true), prompts.online(question, true)],
        [prompts.withDocuments(asked, [], true), prompts.withDocuments(question, [], true)],
      ] as const) {
        expect(shown.user).toContain('Hotel, Year')
        expect(hidden.user).not.toContain('Hotel')
      }
  })

  it('ask for the form of answer that AOE prescribes with aoe-conventions', async () => {
    const prompts = await loadPrompts('aoe-conventions')
    const { system } = prompts.withDocuments(question, [], true)
    for (const words of ['<schema>', 'valid_type', '4,500,000', '"1,234,567"'])
      expect(system).toContain(words)
    expect(prompts.missing?.({ ...question, form: { kind: 'json', schema: {} } })).toMatch(
      /another kind of answer/,
    )
  })

  it('have a stable hash that differs between sets of prompts', async () => {
    expect((await loadPrompts('own')).hash).toBe(ownPrompts().hash)
    expect((await loadPrompts('aoe-conventions')).hash).not.toBe(ownPrompts().hash)
    expect(ownPrompts().hash).toMatch(/^[0-9a-f]{64}$/)
  })
})

const published = `
type: csv
en:
  Get_predict_financial:
    Task:
      Instruction: |
        Work in steps.
      Instruction_no_cot: |
        Be quick.
      Output: |
        Query: {query}
        Input_doc: {input_doc}
        Braces: {{kept}}
      Example: |
        An example.
  Get_predict_academic:
    Task_0: { Instruction: Zero., Output: "{query} {input_doc}" }
    Task_1: { Instruction: One., Output: "{query} {input_doc}" }
`

describe("AOE's published prompts", () => {
  it('form one user message of instruction, example and output, with query and documents inserted', async () => {
    const prompts = await loadPrompts(yaml(published))
    const documents = [{ name: 'a.pdf', text: 'has {query} in it' }]
    const { system, user } = prompts.withDocuments(question, documents, true)
    expect(system).toBe('')
    expect(user).toBe(
      'Work in steps.\n\nAn example.\n\nQuery: Compare revenue.\nInput_doc: \n<document name="a.pdf">\nhas {query} in it\n</document>\n\nBraces: {kept}',
    )
    expect(prompts.withDocuments(question, documents, false).user).toMatch(/^Be quick\./)
  })

  it('show the online agent only the names, with the built-in instructions for searching', async () => {
    const { system, user } = (await loadPrompts(yaml(published))).online(question, true)
    expect(user).toContain('Input_doc: \n- a.pdf\n- b.pdf\n')
    expect(system).toContain('web')
  })

  it('are chosen by the task number in both forms of task ids', async () => {
    const prompts = await loadPrompts(yaml(published))
    const academic = (taskId: string) => ({ ...question, domain: 'academic', taskId })
    expect(prompts.online(academic('academic_WikiText-103_1_en'), true).user).toMatch(/^One\./)
    expect(prompts.online(academic('academic_WikiText-103_0'), true).user).toMatch(/^Zero\./)
    expect(prompts.missing?.(academic('academic_x_7_en'))).toMatch(/academic_x_7_en/)
  })

  it('report before the run which question has no prompt', async () => {
    const prompts = await loadPrompts(yaml(published))
    expect(prompts.missing?.(question)).toBeNull()
    expect(prompts.missing?.({ ...question, domain: 'legal' })).toMatch(/en\.Get_predict_legal/)
    expect(prompts.missing?.({ ...question, language: 'zh' })).toMatch(/zh\.Get_predict_financial/)
    expect(() => prompts.online({ ...question, domain: 'legal' }, true)).toThrow(DataError)
  })

  it('have different hashes when their words differ', async () => {
    const one = await loadPrompts(yaml(published))
    const other = await loadPrompts(yaml(published.replace('Be quick', 'Be slow')))
    expect(one.hash).not.toBe(other.hash)
    expect(one.hash).not.toBe(ownPrompts().hash)
  })

  it.each([
    [
      'a missing file',
      () => join(folder, 'none.yaml'),
      'unreadable-prompts',
      /none\.yaml: no such file\. Name/,
    ],
    ['broken YAML', () => yaml('en: [1'), 'invalid-prompts', /not YAML/],
    ['a list', () => yaml('- 1'), 'invalid-prompts', /not a YAML map/],
    ['no language', () => yaml('type: csv'), 'invalid-prompts', /contains no prompts/],
    [
      'a missing output',
      () => yaml('en:\n  Get_predict_legal:\n    Task:\n      Instruction: x'),
      'invalid-prompts',
      /en\.Get_predict_legal\.Task\.Output/,
    ],
    [
      'a missing placeholder',
      () => yaml('en:\n  G:\n    Task:\n      Instruction: x\n      Output: "{query}"'),
      'invalid-prompts',
      /en\.G\.Task: \{input_doc\} is missing/,
    ],
    [
      'a placeholder that is missing without chain of thought',
      () =>
        yaml(
          'en:\n  G:\n    Task:\n      Instruction: "{query}"\n      Instruction_no_cot: x\n      Output: "{input_doc}"',
        ),
      'invalid-prompts',
      /en\.G\.Task: \{query\} is missing/,
    ],
  ])('refuse %s with a code, the place and the problem', async (_what, file, code, words) => {
    const error = await loadPrompts(file()).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(DataError)
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) })
  })
})
