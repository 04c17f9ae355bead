import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readContent } from '../../../retrieval/context-documents.ts'
import { ConfigError, DataError } from '../../../src/core/errors.ts'
import type { TableGold } from '../../../src/core/gold.ts'
import type { LoadedTasks, Task } from '../../../src/core/task.ts'
import { findPublishedColumns } from '../../../tasks/aoe/columns.ts'
import { loadAoe } from '../../../tasks/aoe/load.ts'
import { parseRecordId } from '../../../tasks/aoe/record.ts'
import { loadBenchmark } from '../../../tasks/load-benchmark.ts'
import type { ValidatedTasks } from '../../../tasks/validate/validate-tasks.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-aoe-'))
})
afterAll(() => rm(folder, { recursive: true }))

const own = { key_cols: ['k'], target_value_columns: ['t'], numeric_columns: [] }
const good = {
  record_id: 'financial_1_4_en',
  query: 'Compare.',
  input_doc: ['a.md'],
  answers: [{ Filename: 'a.md', 'Revenue (CNY)': '1,000' }],
}

async function load(lines: readonly (string | object)[], ending = '\n') {
  const path = join(folder, `${crypto.randomUUID()}.jsonl`)
  await writeFile(
    path,
    lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join(ending),
  )
  const loaded = await loadBenchmark('aoe', path, { spreadsheet: null, readWorkbook: () => [] })
  return loaded as LoadedTasks<TableGold>
}

async function textsOf({ documents }: Task): Promise<string[]> {
  const contents = await Promise.all(documents.flatMap(({ load }) => (load === undefined ? [] : [load()])))
  return contents.map(content => readContent(content))
}

describe('valid records', () => {
  it('reads both layouts, and takes missing columns from the published tasks', async () => {
    const { tasks, skipped } = await load([
      good,
      {
        legal_3_1: {
          query: '列出各被告人的判决。',
          input_doc: [{ 案件名: '甲盗窃案', 入库编号: '2024-01', 基本案情: '事实。', 关联索引: '["x"]' }],
          answers: [{ 案件名: '甲盗窃案', 被告: '甲某', 罪名: ['盗窃罪', '诈骗罪'], 刑期: null }],
        },
      },
      { ...good, ...own, record_id: 'sport_x_y_0_en', domain: 'sport', answers: [{ k: 'a', t: 5 }] },
    ])
    expect(skipped).toEqual([])
    expect(tasks.map(task => task.question)).toEqual([
      {
        taskId: 'financial_1_4_en',
        benchmark: 'aoe',
        domain: 'financial',
        language: 'en',
        query: 'Compare.',
        documentNames: ['a.md'],
        form: { kind: 'table' },
        facets: { taskType: 'financial_4' },
      },
      {
        taskId: 'legal_3_1',
        benchmark: 'aoe',
        domain: 'legal',
        language: 'zh',
        query: '列出各被告人的判决。',
        documentNames: ['甲盗窃案'],
        form: { kind: 'table' },
        facets: { taskType: 'legal_1' },
      },
      {
        taskId: 'sport_x_y_0_en',
        benchmark: 'aoe',
        domain: 'sport',
        language: 'en',
        query: 'Compare.',
        documentNames: ['a.md'],
        form: { kind: 'table' },
        facets: { taskType: 'sport_0' },
      },
    ])
    expect(tasks[0]?.gold.keyColumns).toEqual(['Filename'])
    expect(tasks[0]?.gold.numericColumns).toContain('Net Profit (CNY)')
    expect(tasks[1]?.gold.rows).toEqual([
      { 案件名: '甲盗窃案', 被告: '甲某', 罪名: '["盗窃罪", "诈骗罪"]', 刑期: null },
    ])
    expect(tasks[1]?.documents).toMatchObject([{ name: '甲盗窃案', title: '甲盗窃案' }])
    expect(await textsOf(tasks[1]!)).toEqual(['事实。'])
    expect(tasks[2]?.gold).toEqual({
      kind: 'table',
      keyColumns: ['k'],
      targetColumns: ['t'],
      numericColumns: [],
      rows: [{ k: 'a', t: 5 }],
    })
  })

  it('reads only the facts of a case as its text, and keeps the gold out of the question', async () => {
    const { tasks } = await load([
      {
        legal_1_0: {
          query: '找出相关法条。',
          input_doc: [
            { 案件名: '乙案', 入库编号: '1', 基本案情: '乙某殴打他人。', 裁判结果: '故意伤害罪' },
            { 中华人民共和国刑法: '第二百三十四条 故意伤害他人身体的' },
          ],
          answers: [{ 案件名: '乙案', 关联索引: ['《刑法》第234条'] }],
        },
      },
    ])
    expect(await textsOf(tasks[0]!)).toEqual(['乙某殴打他人。', '第二百三十四条 故意伤害他人身体的'])
    expect(JSON.stringify(tasks[0]?.question)).not.toMatch(/故意伤害|234/)
  })

  it('names the statutes that the gold of legal_0 cites as optional documents, and nowhere in the question', async () => {
    const cases = [{ 案件名: '乙案', 基本案情: '乙某殴打他人。' }]
    const record = (关联索引: unknown) => ({
      query: '找出相关法条。',
      input_doc: cases,
      answers: [{ 案件名: '乙案', 关联索引 }],
    })
    const { tasks } = await load([
      { legal_1_0: record(['《刑法》第234条', '《刑法》第67条', '《民法典》第三条']) },
      { legal_2_0: record('民事诉讼法第一百条、《公司法（2023修订）》第4条') },
      { legal_3_0: record('中华人民共和国治安管理处罚法 第43条') },
      { legal_4_0: record('[]') },
    ])
    expect(tasks.map(({ optionalDocuments }) => optionalDocuments)).toEqual([
      ['刑法', '民法典'],
      ['公司法（2023修订）'],
      ['中华人民共和国治安管理处罚法'],
      undefined,
    ])
    expect(tasks[0]?.question.documentNames).toEqual(['乙案'])
    expect(tasks[0]?.evidence).toEqual({ kind: 'documents', names: ['乙案'] })
    expect(JSON.stringify(tasks[0]?.question)).not.toMatch(/刑法|民法典/)
  })

  it('accepts a byte order mark, CRLF, blank lines, line separators in strings and a missing last line end', async () => {
    const query = 'Compare\u2028both.'
    const { tasks, skipped } = await load(
      [`\uFEFF${JSON.stringify({ ...good, query })}`, '', '   ', { ...good, record_id: 'financial_2_4_en' }],
      '\r\n',
    )
    expect(skipped).toEqual([])
    expect(tasks.map(task => task.question.query)).toEqual([query, 'Compare.'])
  })

  it('keeps numbers as Python prints them and reads NaN as a missing value', async () => {
    const line = JSON.stringify({ ...good, ...own, answers: ['ROW'] }).replace(
      '"ROW"',
      '{"k": 5.0, "t": NaN}, {"k": 5, "t": [1.0, 2]}, {"k": 12345678901234567890, "t": true}',
    )
    const { tasks } = await load([line])
    expect(tasks[0]?.gold.rows).toEqual([
      { k: '5.0', t: null },
      { k: 5, t: '[1.0, 2]' },
      { k: '12345678901234567890', t: true },
    ])
  })

  it('appends 入库编号 to the names of different cases with one name, and reads a repeated document once', async () => {
    const answers = [{ 案件名: '丙案', 关联索引: '[]' }]
    const one = { 案件名: '丙案', 入库编号: '2023-1', 基本案情: '一' }
    const two = { 案件名: '丙案', 入库编号: '2023-2', 基本案情: '二' }
    const { tasks } = await load([
      { legal_1_0: { query: 'q', input_doc: [one, two, one], answers } },
      { legal_2_0: { query: 'q', input_doc: [one, one], answers } },
    ])
    expect(tasks.map(task => task.question.documentNames)).toEqual([
      ['丙案（2023-1）', '丙案（2023-2）'],
      ['丙案'],
    ])
    expect(await textsOf(tasks[0]!)).toEqual(['一', '二'])
  })

  it('accepts a gold without some of the published target columns, as the published scorer does', async () => {
    const { tasks } = await load([good])
    expect(tasks[0]?.gold.targetColumns).toContain('Net Profit (CNY)')
    expect(tasks[0]?.gold.rows[0]).not.toHaveProperty('Net Profit (CNY)')
  })
})

describe('invalid records', () => {
  const cases: [about: string, record: string | object, problem: RegExp][] = [
    ['a line that is not JSON', '{"record_id": ', /^not JSON/],
    ['a value that is not an object', '[1]', /not a JSON object/],
    [
      'a record without an id',
      { query: 'q', answers: [] },
      /record_id is missing \(fields: query, answers\)/,
    ],
    ['an empty object', {}, /record_id is missing \(fields: none\)/],
    ['an empty id', { ...good, record_id: ' ' }, /record_id is missing/],
    ['a repeated id', good, /the same id as on line 1/],
    [
      'no query',
      { ...good, record_id: 'financial_7_4_en', query: undefined },
      /^query: is missing, a text is expected$/,
    ],
    ['empty answers', { ...good, record_id: 'financial_8_4_en', answers: [] }, /^answers: is empty$/],
    [
      'answers that are no rows',
      { ...good, record_id: 'financial_8_4_en', answers: ['a'] },
      /^answers\[0\]: is a text, an object is expected$/,
    ],
    [
      'a cell that is an object',
      { ...good, record_id: 'financial_9_4_en', answers: [{ Filename: { a: 1 } }] },
      /answers\[0\]\.Filename is an object/,
    ],
    ['no documents', { ...good, record_id: 'financial_10_4_en', input_doc: [] }, /input_doc is empty/],
    [
      'documents that are not a list',
      { ...good, record_id: 'financial_10_4_en', input_doc: 7 },
      /input_doc is not a list/,
    ],
    [
      'a case without its facts',
      {
        ...good,
        record_id: 'legal_1_0',
        input_doc: [{ 案件名: '甲案' }],
        answers: [{ 案件名: '甲案', 关联索引: '[]' }],
      },
      /input_doc\[0\]\.基本案情 is missing/,
    ],
    [
      'two different cases without distinct names',
      {
        ...good,
        record_id: 'legal_1_0',
        input_doc: [
          { 案件名: '甲案', 基本案情: '一' },
          { 案件名: '甲案', 基本案情: '二' },
        ],
        answers: [{ 案件名: '甲案', 关联索引: '[]' }],
      },
      /two different documents are named 甲案/,
    ],
    ['an unknown task without columns', { ...good, record_id: 'financial_1_9_en' }, /columns are unknown/],
    [
      'a task with the name of an object method',
      { ...good, record_id: 'constructor', language: 'en' },
      /columns are unknown/,
    ],
    [
      'a key column that no row has',
      { ...good, record_id: 'financial_11_4_en', answers: [{ 'Revenue (CNY)': 1 }] },
      /key column 'Filename' is in no gold row/,
    ],
    [
      'rows without any target column',
      { ...good, record_id: 'financial_12_4_en', answers: [{ Filename: 'a.md' }] },
      /target column 'Reporting Period' is in no gold row/,
    ],
    [
      'a numeric column that is not a target',
      {
        ...good,
        ...own,
        record_id: 'x_1',
        language: 'en',
        numeric_columns: ['k'],
        answers: [{ k: 1, t: 2 }],
      },
      /numeric column 'k' is not a target column. It is a key column/,
    ],
    [
      'a column that is key and target',
      { ...good, ...own, record_id: 'x_2', language: 'en', key_cols: ['t'], answers: [{ t: 2 }] },
      /column 't' is both a key and a target/,
    ],
    [
      'a language name instead of a code',
      { ...good, record_id: 'financial_13_4', language: 'French' },
      /'French' is not a language code\. Write 'fr'/,
    ],
    ['an unknown language', { ...good, record_id: 'financial_14_4' }, /the language is missing/],
  ]

  it.each(cases)('skips %s and loads the other records', async (_about, record, problem) => {
    const last = { ...good, record_id: 'financial_99_4_en' }
    const { tasks, skipped } = await load([good, record, last])
    expect(tasks.map(task => task.question.taskId)).toEqual([good.record_id, last.record_id])
    expect(skipped).toHaveLength(1)
    expect(skipped[0]?.line).toBe(2)
    expect(skipped[0]?.code).toMatch(/^[a-z-]+$/)
    expect(skipped[0]?.problem).toMatch(problem)
    expect(skipped[0]?.problem).not.toContain('\n')
  })

  it('skips a line whose bytes are not UTF-8', async () => {
    const path = join(folder, 'bytes.jsonl')
    await writeFile(
      path,
      Buffer.concat([Buffer.from(`${JSON.stringify(good)}\n`), Buffer.from([0x22, 0xff, 0x22])]),
    )
    expect((await loadAoe(path)).skipped).toMatchObject([
      { line: 2, recordId: null, code: 'invalid-record', problem: expect.stringMatching(/^not UTF-8/) },
    ])
  })
})

describe('a file without a valid record', () => {
  it.each([
    ['an empty file', '', /no task found.*\. Name such a file or folder with --tasks\./],
    ['a file with only blanks', ' \n\r\n', /no task found/],
    [
      'a file without a valid record',
      'nonsense\n{}',
      /cannot use any of the 2 records\. .*\.jsonl:1: not JSON.*\. Write one record per line\. tablehunt tasks check/,
    ],
    [
      'a problem that does not say what to do',
      '{"record_id": "a_en", "language": "en", "domain": "d"}',
      /cannot use the only record\. .*is missing, .* is expected\. Correct the file\. tablehunt tasks check/,
    ],
  ])('is an error on one line for %s', async (_about, content, message) => {
    const failure = await load([content]).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(DataError)
    expect((failure as DataError).message).toMatch(message)
    expect((failure as DataError).code).toBe('no-task')
    expect((failure as DataError).message).not.toContain('\n')
  })

  it('is an error that says what to do when it is missing or a folder', async () => {
    await mkdir(join(folder, 'sub'))
    for (const [path, code] of [
      [join(folder, 'nowhere.jsonl'), 'tasks-not-found'],
      [join(folder, 'sub'), 'unreadable-tasks'],
    ] as const) {
      const failure = await loadAoe(path).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ConfigError)
      expect((failure as ConfigError).code).toBe(code)
      expect((failure as ConfigError).message).toMatch(/^--tasks .*Name a JSONL file/)
    }
  })
})

describe('the published tasks', () => {
  it('are 7 financial ones in both languages, 2 academic and 2 legal ones', () => {
    for (let task = 0; task <= 6; task += 1) {
      for (const language of ['zh', 'en'] as const) {
        const columns = findPublishedColumns(`financial_${task}`, language)
        expect(columns?.numeric).toEqual(columns?.targets)
        expect(columns?.targets.join()).not.toContain('#')
      }
    }
    expect(findPublishedColumns('academic_1', 'en')?.numeric).toEqual(['result'])
    expect(findPublishedColumns('legal_1', 'zh')?.keys).toEqual(['案件名', '被告'])
    expect(findPublishedColumns('legal_1', 'en')).toBeNull()
  })

  it.each([
    ['financial_3_6_zh', { domain: 'financial', task: 'financial_6', language: 'zh' }],
    ['academic_coco-2014_1_en', { domain: 'academic', task: 'academic_1', language: 'en' }],
    ['academic_my_set_0', { domain: 'academic', task: 'academic_0', language: null }],
    ['legal_12_1', { domain: 'legal', task: 'legal_1', language: null }],
    ['legal_12_0_part_3', { domain: 'legal', task: 'legal_0', language: null }],
    ['hello', { domain: 'hello', task: null, language: null }],
  ])('are recognised by the id %s', (id, expected) => {
    expect(parseRecordId(id)).toEqual(expected)
  })
})

it('suggests the fields that a record may have meant, in its error or as a warning', async () => {
  const fields = { record_id: 'x', language: 'en', query: 'q', input_doc: ['a'], answers: [{ k: 1, t: 2 }] }
  const { problems } = (await load([
    { ...fields, key_columns: ['k'], targets: ['t'], numeric_columns: [] },
    { ...fields, ...own, record_id: 'y', domian: 'travel', comment: 'not read' },
    { ...fields, ...own, record_id: 'z', domian: 'travel' },
  ])) as ValidatedTasks
  expect(problems).toMatchObject([
    {
      code: 'invalid-record',
      message: expect.stringMatching(
        /Add key_cols and target_value_columns\. Did you mean key_cols by 'key_columns'\? Did you mean target_value_columns by 'targets'\?/,
      ),
    },
    {
      code: 'unknown-field',
      severity: 'warning',
      message: expect.stringMatching(/^a field is not read\. Did you mean domain by 'domian'\? Rename it/),
    },
  ])
})

it('warns of a field that a record has twice, of which the last value counts', async () => {
  const start =
    '"language":"en","query":"q","input_doc":["a"],"key_cols":["k"],"target_value_columns":["t"],"numeric_columns":[]'
  const { problems } = (await load([
    `{"record_id":"x",${start},"answers":[{"k":1,"t":2,"t":3}]}`,
    `{"record_id":"y",${start},"answers":[{"k":1,"t":"a \\"t\\": b"},{"k":2,"t":"k"}]}`,
    `{"record_id":"z","record_id" : "w",${start},"answers":[{"k":1,"t":2}]}`,
  ])) as ValidatedTasks
  expect(problems.map(({ code, line, message }) => [code, line, message])).toEqual([
    [
      'unknown-field',
      1,
      expect.stringContaining("'t' is twice in one object, and only the last value counts"),
    ],
    ['unknown-field', 3, expect.stringContaining("'record_id' is twice in one object")],
  ])
})
