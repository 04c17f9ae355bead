import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tablehunt } from './cli.ts'

const questions = 'tests/fixtures/browsecomp-plus'
let folder: string
let run: { readonly code: number | null; readonly stderr: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-fixed-corpus-'))
  const documents = Array.from({ length: 10 }, (_, question) =>
    [1, 2, 3].map(place => ({
      docid: `${question + 1}0${place}`,
      url: `https://site-${question + 1}.example.org/page?id=${place}`,
      text: `Page ${place} about subject ${question + 1}.`,
    })),
  ).flat()
  const file = join(folder, 'documents.jsonl')
  await writeFile(file, documents.map(document => JSON.stringify(document)).join('\n'))
  const built = await tablehunt(['web', 'build', file, '--embedder', 'hash', '--out', join(folder, 'corpus')])
  expect(built).toMatchObject({ code: 0, stderr: '' })
  expect(built.stdout).toMatch(/^30 documents -> /)
  const search = { name: 'web_search', args: { queries: ['subject 3'] } }
  const open = { name: 'fetch_page', args: { urls: ['https://site-3.example.org/page?id=1'] } }
  const turns = [{ toolCalls: [search] }, { toolCalls: [open] }, { text: 'Exact Answer: a\nConfidence: 80%' }]
  await writeFile(join(folder, 'script.jsonl'), JSON.stringify({ turns }))
  await writeFile(
    join(folder, 'judge.jsonl'),
    JSON.stringify({ turns: [{ text: 'correct: yes\nconfidence: 80' }] }),
  )
  run = await tablehunt([
    ...['run', '--benchmark', 'browsecomp-plus', '--tasks', questions, '--setting', 'online'],
    ...[
      '--web',
      `sealed:${join(folder, 'corpus')}`,
      '--search',
      'bm25,dense',
      '--record',
      join(folder, 'web'),
    ],
    ...[
      '--model',
      `scripted:${join(folder, 'script.jsonl')}`,
      '--judge',
      `scripted:${join(folder, 'judge.jsonl')}`,
    ],
    ...['--out', join(folder, 'run')],
  ])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const attemptsOf = async (name: string) => {
  const lines = (await readFile(join(folder, name, 'attempts.jsonl'), 'utf8')).trim().split('\n')
  return lines.map(line => JSON.parse(line))
}

it('measures which judged documents agents found in a fixed corpus, with each of its searches', async () => {
  expect(run).toMatchObject({ code: 0 })
  const attempts = (await attemptsOf('run')).filter(({ taskId }) => taskId === '3')
  expect(attempts.map(({ options }) => options)).toEqual([{ search: 'bm25' }, { search: 'dense' }])
  for (const { discovery } of attempts) {
    expect(discovery.hints).toMatchObject([
      { hint: '301', relevance: 2, surfacedStep: 1, openedStep: 2 },
      { hint: '302', relevance: 1, surfacedStep: 1, openedStep: null },
      { hint: '303', relevance: 1, surfacedStep: 1, openedStep: null },
    ])
    expect(discovery.retrieved).toEqual(expect.arrayContaining(['301', '302', '303']))
  }
  const { stdout } = await tablehunt(['report', join(folder, 'run'), '--full'])
  expect(stdout).toContain('Judged documents found by agents')
  const [row] = JSON.parse((await tablehunt(['report', join(folder, 'run'), '--json'])).stdout).groups
  expect(row.discovery.judged.gold).toEqual({ surfaced: expect.any(Number), opened: 0.1 })
})

it('exports all documents that searches returned', async () => {
  const to = join(folder, 'run-files')
  const exported = await tablehunt(['export', join(folder, 'run'), '--to', to, '--format', 'browsecomp-plus'])
  expect(exported).toMatchObject({ code: 0, stderr: '' })
  const [path] = exported.stdout.split('  ')
  const file = JSON.parse(await readFile(join(path!.trim(), 'run_3.json'), 'utf8'))
  expect(file.retrieved_docids).toEqual(
    (await attemptsOf('run')).find(({ taskId }) => taskId === '3').discovery.retrieved,
  )
})

it('replays both searches', async () => {
  const replayed = await tablehunt([
    ...['run', '--benchmark', 'browsecomp-plus', '--tasks', questions, '--setting', 'online'],
    ...['--web', `replay:${join(folder, 'web')}`, '--search', 'bm25,dense'],
    ...[
      '--model',
      `scripted:${join(folder, 'script.jsonl')}`,
      '--judge',
      `scripted:${join(folder, 'judge.jsonl')}`,
    ],
    ...['--out', join(folder, 'replayed')],
  ])
  expect(replayed).toMatchObject({ code: 0 })
  const found = async (name: string) => (await attemptsOf(name)).map(({ discovery }) => discovery.retrieved)
  expect(await found('replayed')).toEqual(await found('run'))
})

it('measures recall by searching with each question', async () => {
  const args = [
    'web',
    'recall',
    join(folder, 'corpus'),
    '--tasks',
    questions,
    '--benchmark',
    'browsecomp-plus',
  ]
  const { stdout } = await tablehunt(args)
  expect(stdout).toMatch(/bm25\s+evidence\s+10\b/)
  const { rows } = JSON.parse((await tablehunt([...args, '--json'])).stdout)
  expect(
    rows.map(({ search, relevance }: { search: string; relevance: number }) => [search, relevance]),
  ).toEqual([
    ['bm25', 1],
    ['bm25', 2],
    ['dense', 1],
    ['dense', 2],
  ])
})

it.each([
  [['web', 'build', 'a.jsonl', 'docs', '--out', 'x'], 'not-corpus-files'],
  [['web', 'build', 'a.jsonl', '--twins', '2', '--out', 'x'], 'flag-without-effect'],
  [['web', 'build', 'docs', '--embedder', 'hash', '--out', 'x'], 'flag-without-effect'],
  [
    ['run', '--tasks', 'tasks/demo/tasks.jsonl', '--setting', 'online', '--search', 'dense', '--out', 'x'],
    'search-needs-sealed-web',
  ],
  [
    [
      'run',
      '--tasks',
      'tasks/demo/tasks.jsonl',
      '--docs',
      'tasks/demo/documents',
      '--setting',
      'online',
      '--web',
      'sealed',
      '--search',
      'dense',
      '--out',
      'x',
    ],
    'no-corpus-vectors',
  ],
  [['web', 'recall', 'CORPUS', '--tasks', 'tasks/demo/tasks.jsonl'], 'no-judgements'],
])('refuses %s', async (args, code) => {
  const ended = await tablehunt(args.map(arg => (arg === 'CORPUS' ? join(folder, 'corpus') : arg)))
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(`[${code}]`) })
})
