import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSupplied, readContent, type SuppliedDocument } from '../../../retrieval/context-documents.ts'
import type { AnswerForm } from '../../../src/core/task.ts'
import { loadBenchmark } from '../../../tasks/load-benchmark.ts'
import { longTableConfiguration, readGoldAnswer } from '../../../tasks/longtablebench/gold-answer.ts'
import { loadLongTableBench } from '../../../tasks/longtablebench/load.ts'
import { scoreLongTable } from '../../../tasks/longtablebench/metric.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-ltb-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function fill(files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    const isText = typeof content === 'string' || content instanceof Uint8Array
    await writeFile(join(folder, name), isText ? content : JSON.stringify(content))
  }
}

const ship = { db_path: '8k/single', db_id: 'freight', is_multi_table: false, highlighted_table: ['Ship'] }
const tables = {
  'datasets/tables/8k/single/freight/ship.csv': 'id,name,load\n1,"Ada, II",\n2,Bo,7.5\n',
  'datasets/tables/8k/single/freight/port.csv': 'id\n1\n',
}
const single = 'datasets/questions/8k/longtablebench_single.json'
const multi = 'datasets/questions/32k/longtablebench_multi.json'
const problemsOf = async () =>
  (await loadLongTableBench(folder)).skipped.map(({ code, problem }) => [code, problem])

describe("LongTableBench's folder", () => {
  it('becomes one task for each question or conversation, with its tables as documents', async () => {
    const round = (question: string, answer: unknown) => ({ question, answer })
    await fill({
      ...tables,
      [single]: [{ ...ship, evidence: 'big means over 5;', question: 'Which are big?', answer: ['2'] }],
      [multi]: [
        { ...ship, is_multi_table: true, QA: [round('Which?', ['1', '2']), round('Names?', ['Ada, II'])] },
      ],
      'seeds.jsonl': `${JSON.stringify({ ...ship, task: 'EKF', domain: 'transport', question: 'Which are big?', answer: ['2'] })}\n`,
    })
    const { tasks, skipped } = await loadBenchmark('longtablebench', folder, {
      spreadsheet: null,
      readWorkbook: () => [],
    })
    expect(skipped).toEqual([])
    const [one, several] = tasks
    expect(one?.question).toMatchObject({
      taskId: '8k_single_0',
      domain: 'transport',
      query: 'big means over 5; Which are big?',
      documentNames: ['8k/single/freight/ship'],
      facets: { taskType: 'EKF', task: 'EKF', tier: '8k', turns: 'single', tables: 'one' },
    })
    expect(readContent(await loadSupplied(one!.documents[0] as SuppliedDocument), 'csv')).toBe(
      'ship:\nid,name,load\n1,"Ada, II",\n2,Bo,7.5\n\n\n',
    )
    expect(several?.question.documentNames).toEqual(['8k/single/freight/port', '8k/single/freight/ship'])
    expect(several?.question.turns?.map(({ query }) => query)).toEqual(['Names?'])
    expect(several?.question.facets).toMatchObject({ task: 'unknown', tier: '32k', turns: 'multi' })
    expect(several?.turnGolds?.map(gold => gold.kind === 'text' && gold.items)).toEqual([['Ada, II']])
  })

  it('keeps the difference between 5.0 and 5 in the row of a fact, and asks for it like for a list', async () => {
    const text = `[${JSON.stringify(ship).slice(0, -1)}, "question": "Is it?", "answer": {"id": 5, "load": 5.0, "note": null}}]`
    await fill({ ...tables, [single]: text })
    const [task] = (await loadLongTableBench(folder)).tasks
    expect(task?.gold).toEqual({
      kind: 'text',
      references: ['{"id": 5, "load": 5.0, "note": None}'],
      scoring: { answer: '{"id": 5, "load": 5.0, "note": null}' },
    })
  })

  it("asks for the form that the benchmark's scorer reads, with its rules, and alike for every kind of answer", async () => {
    const answers = [['1', '2', '2'], ['2021-03-04', '7.5'], ['Unsupported'], { id: '1', load: null }]
    const rounds = answers.map(answer => ({ question: 'Which?', answer }))
    await fill({
      ...tables,
      [single]: rounds.map(round => ({ ...ship, ...round })),
      [multi]: [{ ...ship, QA: rounds }],
    })
    const { tasks } = await loadLongTableBench(folder)
    const asked = (form: AnswerForm | undefined) => (form?.kind === 'text' ? form.instructions : '')
    const ofSingle = new Set(tasks.slice(0, 4).map(({ question }) => asked(question.form)))
    const [ofConversation, ...further] = [tasks[4]!.question, ...tasks[4]!.question.turns!].map(({ form }) =>
      asked(form),
    )
    expect([...ofSingle]).toEqual([`${ofConversation} The list has at most 10 items.`])
    expect(new Set(further)).toEqual(new Set([ofConversation]))
    for (const rule of [
      'as often as it occurs',
      'YYYY-MM-DD',
      'DD/MM/YYYY',
      'MM.DD.YYYY',
      'None',
      'Unsupported',
    ])
      expect(ofConversation).toContain(rule)
    for (const { gold } of tasks.slice(0, 4)) {
      const { answer } = longTableConfiguration.parse(gold.scoring)!
      const text = `First the rows.\n\n<answer>${gold.references[0]}</answer>`
      expect(scoreLongTable(readGoldAnswer(answer), text)).toMatchObject({ f1: 1 })
    }
  })

  it('skips records that are malformed or whose table is missing, with the reason', async () => {
    await fill({
      ...tables,
      [single]: [
        { ...ship, question: 'Which?' },
        { ...ship, QA: [{ question: 'Which?', answer: ['1'] }] },
        { ...ship, highlighted_table: ['truck'], question: 'Which?', answer: ['1'] },
        { ...ship, db_path: '../..', question: 'Which?', answer: ['1'] },
      ],
    })
    expect(await problemsOf()).toEqual([
      ['invalid-record', expect.stringContaining('Correct the record.')],
      ['invalid-record', expect.stringContaining('belongs into longtablebench_multi.json')],
      ['missing-document', expect.stringContaining('no file truck.csv in datasets/tables/8k/single/freight')],
      ['missing-document', expect.stringContaining('no file Ship.csv')],
    ])
  })

  it('names a file that is not JSON, a table that is not CSV, and a folder without questions', async () => {
    await expect(loadLongTableBench(folder)).rejects.toMatchObject({ code: 'tasks-not-found' })
    await fill({ ...tables, [single]: '[{' })
    await expect(loadLongTableBench(folder)).rejects.toMatchObject({
      code: 'invalid-questions',
      message: expect.stringContaining('longtablebench_single.json: not JSON'),
    })
    await fill({ ...tables, [single]: Buffer.from('["Café"]', 'latin1') })
    await expect(loadLongTableBench(folder)).rejects.toMatchObject({
      code: 'invalid-questions',
      message: expect.stringContaining(
        'longtablebench_single.json: the file cannot be read: it is not UTF-8',
      ),
    })
  })

  it.each([
    ['two fields in a row of three', 'id,name,load\n1,Ada\n', 'Invalid Record Length'],
    ['two columns of one name', 'id,name,name\n1,Ada,Bo\n', "two columns have the name 'name'"],
    ['an open quote', 'id,name\n1,"Ada\n', 'Quote Not Closed'],
    ['no text', '', 'it has no header'],
    ['another encoding', Buffer.from('id,name\n1,Café\n', 'latin1'), 'it is not UTF-8'],
    ['no rows', 'id,name\n', 'the table has no rows'],
  ])('skips records about a table with %s, and names its file', async (_, csv, why) => {
    await fill({
      ...tables,
      'datasets/tables/8k/single/freight/ship.csv': csv,
      [single]: [
        { ...ship, question: 'Which?', answer: ['1'] },
        { ...ship, highlighted_table: ['port'], question: 'Which?', answer: ['1'] },
      ],
    })
    const { tasks, skipped } = await loadLongTableBench(folder)
    expect(tasks.map(({ question }) => question.taskId)).toEqual(['8k_single_1'])
    expect(skipped).toEqual([expect.objectContaining({ recordId: '8k_single_0', code: 'unreadable-table' })])
    expect(skipped[0]!.problem).toContain('ship.csv: ')
    expect(skipped[0]!.problem).toContain(why)
  })

  it('names the member of a record that is wrong', async () => {
    const records: readonly (readonly [record: unknown, problem: string])[] = [
      [{ ...ship, question: 'Which?', answer: 7 }, 'answer: is a number'],
      [{ ...ship, question: 'Which?' }, 'answer: is missing'],
      [{ ...ship, question: 'Which?', answer: {} }, 'an answer is an object without members'],
      [{ ...ship, question: 5, answer: ['1'] }, 'question: is a number'],
      [ship, 'question: is missing'],
    ]
    await fill({
      ...tables,
      [single]: records.map(([record]) => record),
      [multi]: [{ ...ship, QA: [] }, { ...ship, QA: [{ question: 'Which?', answer: 'Ada' }] }, ship],
    })
    const problems = (await problemsOf()).map(([, problem]) => problem)
    const expected = [
      ...records.map(([, problem]) => problem),
      'QA: is empty',
      'QA[0].answer: is a text',
      'QA: is missing',
    ]
    for (const [at, problem] of expected.entries()) expect(problems[at]).toContain(problem)
  })

  it('reports files of questions that it does not read', async () => {
    await fill({
      ...tables,
      [single]: [{ ...ship, question: 'Which?', answer: ['1'] }],
      'datasets/questions/128k/longtablebench_single.json': [],
      'datasets/questions/8k/longtablebench_singel.json': [],
      'datasets/questions/8k/notes.json': [],
    })
    const { tasks, skipped } = await loadLongTableBench(folder)
    expect(tasks).toHaveLength(1)
    expect(skipped.map(({ file }) => file!.slice(folder.length + 1))).toEqual([
      'datasets/questions/128k/longtablebench_single.json',
      'datasets/questions/8k/longtablebench_singel.json',
    ])
    expect(skipped[0]!.problem).toContain('Rename it')
  })

  it('reads seeds.jsonl with a byte order mark, and names a line that is wrong', async () => {
    const record = { ...ship, question: 'Which?', answer: ['1'] }
    const seeds = (text: string) => fill({ ...tables, [single]: [record], 'seeds.jsonl': text })
    await seeds(`\uFEFF${JSON.stringify({ ...record, task: 'EM' })}\r\n\r\n`)
    expect((await loadLongTableBench(folder)).tasks[0]?.question.facets?.task).toBe('EM')
    for (const [line, why] of [
      ['{"db_path": ', 'it is no JSON object'],
      [JSON.stringify({ ...record, task: 7 }), 'task: is a number'],
    ] as const) {
      await seeds(`\n${line}\n`)
      await expect(loadLongTableBench(folder)).rejects.toMatchObject({
        code: 'invalid-questions',
        message: expect.stringMatching(new RegExp(`seeds.jsonl:2: .*${why}.*Correct or remove the line`)),
      })
    }
  })
})
