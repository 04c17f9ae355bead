import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { tablehunt } from './cli.ts'

const sound = {
  record_id: 'hotels',
  query: 'Wie viele Betten haben die Hotels?',
  language: 'DE',
  domain: 'travel',
  input_doc: ['alder.txt', 'birch.html'],
  key_cols: ['Hotel'],
  target_value_columns: ['Beds', 'Town'],
  numeric_columns: ['Beds'],
  answers: [
    { Hotel: 'Alder', Beds: 12, Town: 'Ulm' },
    { Hotel: 'Birch', Beds: 30, Town: 'Graz' },
  ],
}

let cwd = ''
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'tablehunt-tasks-'))
  await mkdir(join(cwd, 'documents'))
  await writeFile(join(cwd, 'documents', 'alder.txt'), 'Hotel Alder in Ulm hat 12 Betten.\n')
  await writeFile(
    join(cwd, 'documents', 'birch.html'),
    '<html><body><p>Hotel Birch, Graz: 30 Betten</p></body></html>',
  )
  await writeFile(join(cwd, 'documents', 'empty.txt'), '')
})

async function withTasks(...records: object[]): Promise<void> {
  await writeFile(join(cwd, 'tasks.jsonl'), records.map(record => `${JSON.stringify(record)}\n`).join(''))
}

const run = (...args: string[]) => tablehunt([...args, '--cache', join(cwd, 'cache')], { cwd })
const checked = async (...args: string[]) => {
  const { code, stdout } = await run('tasks', 'check', 'tasks.jsonl', '--json', ...args)
  return {
    code,
    ...(JSON.parse(stdout) as {
      tasks: number
      problems: { line: number; taskId: string; code: string; message: string }[]
    }),
  }
}

describe('tasks check', () => {
  it('ends with 0 for valid tasks, and shows what a model is asked', async () => {
    await withTasks(sound)
    const { code, stdout } = await run('tasks', 'check', 'tasks.jsonl', '--docs', 'documents')
    expect(code).toBe(0)
    expect(stdout).toContain('question   Wie viele Betten haben die Hotels?')
    expect(stdout).toContain('documents  alder.txt, birch.html\n  language   de (English prompt)')
    expect(stdout).toContain('targets    Beds #, Town')
    expect(stdout).toContain('settings   offline, rag, online')
    expect(stdout).toMatch(/1 task, no problem\n$/)
    expect((await run('tasks', 'check', 'tasks.jsonl')).stdout).toContain('offline and rag need --docs DIR')
  })

  it('lists every problem with line, task, code and fix, and ends with 2', async () => {
    await withTasks(
      sound,
      sound,
      { ...sound, record_id: 'b', target_value_columns: ['Beds', 'Town', 'Hotel'] },
      { ...sound, record_id: 'c', numeric_columns: ['Bed'] },
      { ...sound, record_id: 'd', target_value_columns: ['Beds', 'Twon'] },
      {
        ...sound,
        record_id: 'e',
        answers: [...sound.answers, { Hotel: 'alder ', Beds: null, Town: 'Linz' }],
      },
      { ...sound, record_id: 'f', input_doc: ['alder.txt', 'nowhere.pdf', 'empty.txt'] },
      { ...sound, record_id: 'g', language: 'German' },
      { ...sound, record_id: 'h', answers: [...sound.answers, { Hotel: 'Alder', Beds: 5, Town: 'Linz' }] },
    )
    const { code, tasks, problems } = await checked('--docs', 'documents')
    expect({ code, tasks }).toEqual({ code: 2, tasks: 9 })
    expect(problems.map(({ line, taskId, code }) => [line, taskId, code])).toEqual([
      [2, 'hotels', 'duplicate-task-id'],
      [3, 'b', 'key-and-target'],
      [4, 'c', 'numeric-not-target'],
      [5, 'd', 'unknown-column'],
      [6, 'e', 'empty-gold'],
      [6, 'e', 'gold-not-found'],
      [7, 'f', 'missing-document'],
      [7, 'f', 'unreadable-document'],
      [8, 'g', 'invalid-record'],
      [9, 'h', 'duplicate-gold-key'],
      [9, 'h', 'gold-not-100'],
      [9, 'h', 'gold-not-found'],
      [9, 'h', 'gold-not-found'],
    ])
    expect(problems.at(-1)?.message).toMatch(
      /column 'Town': 1 of 3 gold values is not in the task's documents: "Linz" \(gold row 3\)/,
    )
    expect(problems.at(-3)?.message).toMatch(/aoe 66\.6.*gold rows 1, 3 collide \('Alder'\)/)
    const { stdout } = await run('tasks', 'check', 'tasks.jsonl')
    expect(stdout).toContain(
      "error: tasks.jsonl:4 (c): numeric column 'Bed' is not a target column. Did you mean 'Beds'?",
    )
  })

  it('says how to write several documents where one name contains several', async () => {
    const names = [
      'alder.txt, birch.html',
      'alder.txt birch.html',
      'alder.txt|birch.html',
      'old.txt.pdf',
      'a, b.pdf',
    ]
    await withTasks({ ...sound, input_doc: names })
    const { problems } = await checked('--docs', 'documents')
    const missing = problems.filter(({ code }) => code === 'missing-document')
    expect(missing.map(({ message }) => /separate their names by ;/.test(message))).toEqual([
      ...[true, true, true, false, false],
    ])
  })

  it('names no row of gold for the answer to a question', async () => {
    await writeFile(join(cwd, 'questions.csv'), 'question,answer,documents\nHow many beds?,9999,alder.txt\n')
    const { stdout } = await run(
      'tasks',
      'check',
      'questions.csv',
      '--benchmark',
      'qa',
      '--docs',
      'documents',
    )
    expect(stdout).toMatch(/1 of 1 gold values is not in the task's documents: "9999"\. Correct/)
  })

  it('names a text in a numeric column, which the published scorer reads as empty', async () => {
    await withTasks({
      ...sound,
      answers: [{ Hotel: 'Alder', Beds: 'twelve', Town: 'Ulm' }, sound.answers[1]!],
    })
    expect((await checked()).problems).toMatchObject([
      {
        code: 'empty-gold',
        message: expect.stringMatching(/'Beds' as empty in gold row 1: 'twelve' is not a number/),
      },
    ])
  })

  it('prints the first warnings of a kind, and counts the others', async () => {
    const many = Array.from({ length: 25 }, (_, at) => ({
      ...sound,
      record_id: `t${at}`,
      input_doc: ['gone.txt'],
    }))
    await withTasks(...many)
    const { stdout } = await run('tasks', 'check', 'tasks.jsonl', '--docs', 'documents')
    expect(stdout.match(/^warning: .*\[missing-document\]$/gm)).toHaveLength(21)
    expect(stdout).toContain('warning: 5 more like these. --json lists all. [missing-document]\n')
    expect((await checked('--docs', 'documents')).problems).toHaveLength(25)
  })

  it('ends with 2 for a file without records', async () => {
    await withTasks()
    const { code, stdout } = await run('tasks', 'check', 'tasks.jsonl')
    expect([code, stdout]).toEqual([2, '0 tasks: there is no record. Name a file or folder with records.\n'])
  })

  it('reports the problems of a file without valid tasks', async () => {
    await writeFile(join(cwd, 'tasks.jsonl'), 'nonsense\n')
    expect(await checked()).toMatchObject({
      code: 2,
      tasks: 1,
      problems: [{ line: 1, taskId: null, code: 'invalid-record' }],
    })
    expect(await run('tasks', 'check', 'none.jsonl')).toMatchObject({ code: 2, stdout: '' })
    await withTasks(sound)
    const { code, stderr } = await run('tasks', 'check', 'tasks.jsonl', '--docs', 'none')
    expect(code).toBe(2)
    expect(stderr).toMatch(/--docs none: not a folder that can be read.*\[no-documents-folder\]/)
  })
})

it('names the records that a run leaves out in a dry run too', async () => {
  const { query: _, ...incomplete } = { ...sound, record_id: 'no-query' }
  await withTasks(sound, incomplete)
  const dry = ['--dry-run', '--setting', 'closed-book', '--out', join(cwd, 'dry')]
  const { code, stderr } = await run('run', '--tasks', 'tasks.jsonl', ...dry)
  expect(code).toBe(0)
  expect(stderr).toContain('tasks.jsonl:2 (no-query): left out: query')
})

it("reports problems once in a run, leaves out tasks with errors and asks in the task's language", async () => {
  await withTasks(sound, sound, { ...sound, record_id: 'd', target_value_columns: ['Beds', 'Twon'] })
  await writeFile(
    join(cwd, 'script.jsonl'),
    `${JSON.stringify({ turns: [{ text: '```csv\nHotel,Beds,Town\nAlder,12,Ulm\nBirch,30,Graz\n```' }] })}\n`,
  )
  const out = join(cwd, 'run')
  const flags = [
    '--docs',
    'documents',
    '--setting',
    'offline',
    '--model',
    'scripted:script.jsonl',
    '--out',
    out,
  ]
  const { code, stderr } = await run('run', '--tasks', 'tasks.jsonl', ...flags)
  expect(code).toBe(0)
  expect(stderr).toContain('tasks.jsonl:2 (hotels): left out: the same id as on line 1')
  expect(stderr).toContain("tasks.jsonl:3 (d): target column 'Twon' is in no gold row")
  const attempts = (await readFile(join(out, 'attempts.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(attempts.map(({ taskId, language }) => [taskId, language])).toEqual([
    ['hotels', 'de'],
    ['d', 'de'],
  ])
  const scores = (await readFile(join(out, 'scores.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(scores.map(({ metrics }) => metrics.cellF1)).toEqual([1, 1])
  const asked = await readFile(join(out, 'traces', `${attempts[0].attemptId}.jsonl`), 'utf8')
  expect(asked).toContain('The documents and the question are in German (de).')
})

it("stats prints the rows of the AOE paper's table by domain and for all", async () => {
  await withTasks(sound, {
    ...sound,
    record_id: 'b',
    domain: 'leisure',
    language: 'en',
    input_doc: ['alder.txt'],
  })
  const { stdout } = await run('tasks', 'stats', 'tasks.jsonl', '--docs', 'documents')
  expect(stdout).toMatch(/Metric +travel +leisure +all\n/)
  expect(stdout).toMatch(/Language +de +en +de, en\n/)
  expect(stdout).toMatch(/Documents \(#\) +2 +1 +3\n/)
  expect(stdout).toMatch(/Distinct documents \(#\) +2 +1 +2\n/)
  expect(stdout).toMatch(/Docs\/Table \(avg\/max\) +2\/2 +1\/1 +1\.5\/2\n/)
  expect(stdout).toMatch(/Cells \(avg\/max\) +6\/6 +6\/6 +6\/6\n/)
  const { domains } = JSON.parse(
    (await run('tasks', 'stats', 'tasks.jsonl', '--json', '--docs', 'documents')).stdout,
  )
  const [travel, leisure, all] = domains
  expect(all.inputTokensPerTask).toBe((travel.inputTokensPerTask + leisure.inputTokensPerTask) / 2)
  expect(
    JSON.parse((await run('tasks', 'stats', 'tasks.jsonl', '--json')).stdout).domains[0].tokensPerDocument,
  ).toBeNull()
})
