import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { executeRun } from '../../src/run.ts'

let folder = ''
let runs = 0

const taskOf = (id: string, names: string[]) => ({
  ...{ record_id: id, language: 'en', domain: 'x', query: `What is the revenue of ${id}?`, input_doc: names },
  ...{ key_cols: ['company'], target_value_columns: ['revenue'], numeric_columns: [] },
  answers: [{ company: 'Alpha', revenue: '10' }],
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-missing-documents-'))
  await mkdir(join(folder, 'docs'))
  await writeFile(join(folder, 'docs', 'alpha.md'), 'Revenue of Alpha: 10')
  await writeFile(join(folder, 'docs', 'empty.md'), ' \n')
  await writeFile(join(folder, 'docs', 'broken.pdf'), '%PDF-1.4\nnot a PDF')
  await writeFile(
    join(folder, 'turns.jsonl'),
    JSON.stringify({
      turns: [
        {
          text: '```csv\ncompany,revenue\nAlpha,10\n```',
          usage: { inputTokens: 10, outputTokens: 5 },
        },
      ],
    }),
  )
})
afterAll(() => rm(folder, { recursive: true }))

async function run(tasks: readonly object[], options: Readonly<Record<string, unknown>> = {}) {
  const path = join(folder, `tasks-${++runs}.jsonl`)
  await writeFile(path, tasks.map(task => `${JSON.stringify(task)}\n`).join(''))
  const notices: string[] = []
  const config = resolveConfig({
    ...{ tasks: path, docs: join(folder, 'docs'), out: join(folder, `run-${runs}`) },
    ...{ model: `scripted:${join(folder, 'turns.jsonl')}`, contextWindow: 32_000, scorer: 'strict' },
    ...{ cache: join(folder, 'cache'), browser: 'off', setting: 'offline' },
    ...options,
  })
  const summary = await executeRun(config, {
    tell: event => {
      if (event.type === 'notice') notices.push(event.text)
    },
  })
  return { summary, notices, config, ...(await readRun(config.out)) }
}

describe('an attempt whose documents are incomplete', () => {
  const incomplete = {
    misspelt: ['alpha.md', 'alhpa-2.md'],
    empty: ['alpha.md', 'empty.md'],
    broken: ['alpha.md', 'broken.pdf'],
    'misspelt alone': ['alhpa.md'],
  }
  it.each(Object.entries(incomplete))('is unscored when one is %s', async (name, hints) => {
    const { scores, attempts, summary } = await run([taskOf('Alpha', hints), taskOf('Whole', ['alpha.md'])])
    const [lacking, whole] = ['Alpha', 'Whole'].map(id => scores.find(({ taskId }) => taskId === id))
    expect(lacking, name).toMatchObject({ status: 'unscored', cause: 'documents', cells: [] })
    expect(lacking?.explanation?.join(' ')).toContain(hints.at(-1))
    expect(whole).toMatchObject({ status: 'scored' })
    expect(attempts.find(({ taskId }) => taskId === 'Alpha')?.missingDocuments).toMatchObject([
      { name: hints.at(-1) },
    ])
    expect(attempts.find(({ taskId }) => taskId === 'Whole')).not.toHaveProperty('missingDocuments')
    const group = summary.report.groups.find(({ domain }) => domain === 'all')
    expect(group).toMatchObject({ n: 2, scored: 1, unscored: 1, lackedDocuments: 1 })
    expect(summary.report.notes).toContainEqual(
      `1 attempt lacked documents (${hints.at(-1)}); they are not scored`,
    )
  })

  it('is unscored in rag too', async () => {
    const { scores } = await run([taskOf('Alpha', ['alpha.md', 'none.md'])], {
      setting: 'rag',
      retriever: 'bm25',
    })
    expect(scores).toMatchObject([{ status: 'unscored', cause: 'documents' }])
  })

  it('is scored in a setting that reads no documents', async () => {
    const { scores } = await run([taskOf('Alpha', ['alpha.md', 'none.md'])], { setting: 'closed-book' })
    expect(scores).toMatchObject([{ status: 'scored', metrics: { cellF1: 1 } }])
  })

  it('is scored with --allow-missing-documents, and the report says so', async () => {
    const { scores, summary, notices } = await run([taskOf('Alpha', ['alpha.md', 'none.md'])], {
      allowMissingDocuments: true,
    })
    expect(scores).toMatchObject([{ status: 'scored', metrics: { cellF1: 1 } }])
    expect(summary.report.notes.join('\n')).toContain('1 attempt lacked documents (none.md); they are scored')
    expect(notices.join('\n')).toContain('1 of 2 missing or unreadable: none.md')
  })
})

it('stops before the first request when none of the documents is there', async () => {
  await expect(run([taskOf('Alpha', ['a.md', 'b.md']), taskOf('Beta', ['c.md'])])).rejects.toMatchObject({
    code: 'no-documents',
  })
})

it('records what our reader guessed of a document that a tool opened', async () => {
  const russian = 'cef2e5ebfc20c0ebfce4e5f020e220d3ebfcece52c20313220eceef1f2'
  await mkdir(join(folder, 'russian'))
  await writeFile(join(folder, 'russian', 'cp1251.txt'), Buffer.from(russian, 'hex'))
  const runOnline = async (name: string, args: object) => {
    const script = join(folder, `${name}.jsonl`)
    const turns = [{ toolCalls: [{ name, args }] }, { text: '```csv\ncompany,revenue\nAlpha,10\n```' }]
    await writeFile(script, JSON.stringify({ setting: 'online', turns }))
    const web = { web: 'sealed', search: 'bm25', docs: join(folder, 'russian') }
    const model = `scripted:${script}`
    return await run([taskOf('Alpha', ['cp1251.txt'])], { ...web, ...{ setting: 'online', twins: 0, model } })
  }
  const { notices, config, attempts } = await runOnline('web_search', { queries: ['Отель Альдер'] })
  expect(notices.join('\n')).toContain('a part of 1 of 1 (cp1251.txt)')
  expect(attempts[0]).not.toHaveProperty('openedInPart')
  const trace = await readFile(join(config.out, 'traces', `${attempts[0]!.attemptId}.jsonl`), 'utf8')
  const url = /https:[^"\\]*\.txt/.exec(trace)![0]
  const { attempts: opened } = await runOnline('fetch_page', { url })
  expect(opened[0]?.openedInPart).toEqual([
    { url, notices: ['its encoding is not declared: read as windows-1251'] },
  ])
})
