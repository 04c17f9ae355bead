import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import type { Task } from '../../src/core/task.ts'
import { benchmarkContract } from '../../src/testing/benchmark.ts'
import { declareTests } from '../../src/testing/contract.ts'
import { defineBenchmark } from '../../tasks/benchmark.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { benchmarks } from '../../tasks/registry.ts'
import { testEveryEntry } from '../testing/every-entry.ts'

/** Writes files into a new folder and returns its path. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'tablehunt-benchmarks-')), 'sample')
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

const schema = JSON.stringify({
  type: 'object',
  properties: { bank: { type: 'string', evaluation_config: 'string_exact' }, amount: { type: 'number' } },
  required: ['bank', 'amount'],
})

/** One text or list per line, and a conversation: `id<TAB>question<TAB>answer|answer…`. */
const quiz = defineBenchmark({
  summary: 'a text file with a question and its answers per line',
  answerKinds: ['text'],
  taskType: ({ form }) => (form.kind === 'text' && form.isList === true ? 'list' : 'text'),
  load: async path => {
    const lines = (await readFile(path, 'utf8')).split('\n').filter(line => line.trim() !== '')
    const tasks = lines.map((line, at) => taskOf(line.split('\t'), { file: path, line: at + 1 }))
    return {
      tasks: tasks.filter(task => task !== null),
      skipped: tasks.flatMap((task, at) =>
        task === null ? [{ line: at + 1, recordId: null, problem: 'no answer. Add one.' }] : [],
      ),
    }
  },
})

function taskOf([id = '', query = '', answer]: string[], source: Task['source'] & object): Task | null {
  if (answer === undefined) return null
  const items = answer.split('|')
  const isList = items.length > 1
  const gold = { kind: 'text' as const, references: [items.join('\n')], ...(isList ? { items } : {}) }
  const form = { kind: 'text' as const, ...(isList ? { isList } : {}) }
  const turn = { query: `${query} Once more.`, form }
  return {
    question: {
      ...{ taskId: id, benchmark: 'quiz', domain: 'geography', language: 'en', query, documentNames: [] },
      ...{ form, turns: [turn] },
    },
    gold,
    turnGolds: [gold],
    source,
    documents: [],
    evidence: null,
  }
}

afterAll(benchmarks.add('tests', { quiz }))

const record = { language: 'en', domain: 'travel', key_cols: ['Hotel'], target_value_columns: ['Beds'] }
const hotels = { record_id: 'hotels', ...record, numeric_columns: ['Beds'], query: 'List.' }
const task = { ...hotels, input_doc: ['a.txt'], answers: [{ Hotel: 'Alder', Beds: 12 }] }
const broken = await folderOf({ 'tasks.jsonl': `${JSON.stringify(task)}\n{"record_id": "x"}\nno JSON\n` })
const sheet = 'File,Hotel,Beds\nalder.txt,Alder,12\nbirch.txt,Birch,30\n'

const crates = {
  id: 'crates',
  instruction: 'Write the HTML table.',
  input: 'Content:\nPlace | Crates | Elm | 12\nFormat:\nOne table with two rows.',
  output: '<table><tr><th>Place</th><th>Crates</th></tr><tr><td>Elm</td><td>12</td></tr></table>',
}

const structextSample = {
  Question: 'What is the depth of node b?',
  Answer: '1',
  Reference: 'a->b',
  Label: { typename: 'tree', node_number: 1, n_ary_ratio: 1 },
}

const wideTask = {
  instance_id: 'ws_1',
  query: 'List the hotels with their beds as a Markdown table.',
  evaluation: JSON.stringify({
    required: ['hotel', 'beds'],
    unique_columns: ['hotel'],
    eval_pipeline: {
      hotel: { preprocess: ['norm_str'], metric: ['llm_judge'], criterion: 'The same hotel.' },
      beds: { preprocess: ['extract_number'], metric: ['number_near'], criterion: 0 },
    },
  }),
  language: 'en',
}
const deepTask = {
  instance_id: 'ws_1',
  question: 'List the hotels of the town by the lake.',
  entity: '```json\n{"entity": ["Alder"]}\n```',
  topic: 'Travel',
}
const wideFiles = await folderOf({
  'widesearch.jsonl': `${JSON.stringify(wideTask)}\n`,
  'broken.jsonl': `${JSON.stringify(wideTask)}\n${JSON.stringify({ ...wideTask, instance_id: 'ws_2' })}\nno JSON\n`,
  'deep.jsonl': `${JSON.stringify(deepTask)}\n`,
  'deep-broken.jsonl': `${JSON.stringify(deepTask)}\n${JSON.stringify({ ...deepTask, entity: 'x' })}\n`,
  'widesearch_gold/ws_1.csv': 'Hotel,Beds\nAlder,12\n"Birch\nInn",30\n',
})

const gisaFolder = 'tests/fixtures/gisa'
const gisaBroken = join(
  await folderOf({
    'question.jsonl': `${await readFile(join(gisaFolder, 'question.jsonl'), 'utf8')}{"id": 5}\nno JSON\n`,
    ...Object.fromEntries(
      await Promise.all(
        ['1', '2', '3', '4'].map(async id => [
          `answers/${id}.csv`,
          await readFile(join(gisaFolder, `answers/${id}.csv`), 'utf8'),
        ]),
      ),
    ),
  }),
  'question.jsonl',
)
const browseCompFolder = 'tests/fixtures/browsecomp-plus'
const browseCompBroken = await folderOf({
  'queries.jsonl': `${await readFile(join(browseCompFolder, 'queries.jsonl'), 'utf8')}{"query_id": 5}\nno JSON\n`,
  'canary.txt': await readFile(join(browseCompFolder, 'canary.txt'), 'utf8'),
})
const fanOutPath = 'tests/fixtures/fanoutqa/fanout-final-dev.json'
const fanOutRecords = JSON.parse(await readFile(fanOutPath, 'utf8')) as object[]

testEveryEntry('benchmarks', {
  'browsecomp-plus': { tasks: browseCompFolder, brokenTasks: browseCompBroken },
  gisa: { tasks: join(gisaFolder, 'question.jsonl'), brokenTasks: gisaBroken },
  fanoutqa: {
    tasks: fanOutPath,
    brokenTasks: join(
      await folderOf({ 'dev.json': JSON.stringify([fanOutRecords[0], { ...fanOutRecords[1], answer: [] }]) }),
      'dev.json',
    ),
  },
  widesearch: { tasks: join(wideFiles, 'widesearch.jsonl'), brokenTasks: join(wideFiles, 'broken.jsonl') },
  deepwidesearch: { tasks: join(wideFiles, 'deep.jsonl'), brokenTasks: join(wideFiles, 'deep-broken.jsonl') },
  structext: {
    tasks: join(await folderOf({ 'tasks.jsonl': JSON.stringify(structextSample) }), 'tasks.jsonl'),
    brokenTasks: join(
      await folderOf({ 'tasks.jsonl': `${JSON.stringify(structextSample)}\n{"Question": "What?"}\n` }),
      'tasks.jsonl',
    ),
  },
  aoe: { tasks: demoPaths.tasks, brokenTasks: join(broken, 'tasks.jsonl') },
  'struc-bench': {
    tasks: await folderOf({ 'sample.jsonl': `${JSON.stringify(crates)}\n` }),
    brokenTasks: await folderOf({
      'sample.jsonl': `${JSON.stringify(crates)}\n${JSON.stringify({ ...crates, id: 'b', output: 5 })}\nno JSON\n`,
    }),
  },
  'extract-bench': {
    tasks: await folderOf({
      'finance/loans/loans-schema.json': schema,
      'finance/loans/harbor.gold.json': '{"bank": "Harbor", "amount": 5.0}',
      'finance/loans/notes.txt': 'not a part of the tasks',
    }),
    brokenTasks: await folderOf({
      'finance/loans-schema.json': schema,
      'finance/a.gold.json': '{"bank": "A", "amount": 1}',
      'finance/b.gold.json': '{"bank": ',
    }),
  },
  longtablebench: {
    tasks: await folderOf({
      'datasets/questions/8k/longtablebench_single.json':
        '[{"db_path": "8k", "db_id": "d", "is_multi_table": false, "highlighted_table": ["t"], "question": "Which?", "answer": ["1"]}]',
      'datasets/tables/8k/d/t.csv': 'id\n1\n',
    }),
  },
  spreadsheet: {
    tasks: join(await folderOf({ 'hotels.csv': sheet }), 'hotels.csv'),
    spreadsheet: { query: 'List the hotels.', documentColumn: 'File', keyColumns: ['Hotel'] },
  },
  qa: {
    tasks: join(
      await folderOf({ 'quiz.csv': 'question,answer\nCapital of Norway?,Oslo|Christiania\nBeds?,12\n' }),
      'quiz.csv',
    ),
    brokenTasks: join(await folderOf({ 'quiz.csv': 'question,answer\nCapital?,Oslo\nBeds?,\n' }), 'quiz.csv'),
  },
})

const lines = ['a\tWhat is the capital of Norway?\tOslo', 'b\tWhich seas does it touch?\tNorth|Barents']
const quizFiles = await folderOf({
  'sound.tsv': `${lines.join('\n')}\n`,
  'broken.tsv': 'a\tq?\tyes\nb\tq?\n',
})
const sample = { tasks: join(quizFiles, 'sound.tsv'), brokenTasks: join(quizFiles, 'broken.tsv') }
declareTests('a benchmark of texts and conversations', benchmarkContract('quiz', sample), { describe, it })
