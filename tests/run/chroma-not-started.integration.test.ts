import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { optionsText } from '../../src/core/arm.ts'
import { readRunManifest } from '../../src/run/records/manifest-file.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { executeRun } from '../../src/run.ts'

vi.mock('../../retrieval/stores/chroma-server.ts', async importOriginal => {
  const original = await importOriginal<typeof import('../../retrieval/stores/chroma-server.ts')>()
  return {
    ...original,
    startChromaServer: () => Promise.reject(new original.ChromaStartError('GLIBC 2.38 is missing here')),
  }
})

const answer = '```csv\nFilename,Revenue\nelm.txt,4512137\n```'

const sentence = 'Total revenue of Elm was 4,512,137 for the year.\n'
/** More chunks than hits, so that Chroma would search them. */
const longText = sentence + 'The board met and discussed the weather of the year.\n'.repeat(3_000)

/** Two tasks over one document, so that several searches meet the server that does not start. */
async function setUp(text = longText) {
  const folder = await mkdtemp(join(tmpdir(), 'chroma-not-started-'))
  await writeFile(join(folder, 'elm.txt'), text)
  const tasks = ['one', 'two'].map(id => ({
    record_id: `financial_${id}_4_en`,
    language: 'en',
    domain: 'financial',
    query: 'What was the revenue?',
    input_doc: ['elm.txt'],
    answers: [{ Filename: 'elm.txt', Revenue: '4512137' }],
    key_cols: ['Filename'],
    target_value_columns: ['Revenue'],
    numeric_columns: ['Revenue'],
  }))
  await writeFile(join(folder, 'tasks.jsonl'), tasks.map(task => JSON.stringify(task)).join('\n'))
  await writeFile(join(folder, 'script.jsonl'), JSON.stringify({ turns: [{ text: answer }] }))
  const run = async (out: string, options: Record<string, unknown> = {}) => {
    const notices: string[] = []
    const config = resolveConfig({
      tasks: join(folder, 'tasks.jsonl'),
      docs: folder,
      out: join(folder, out),
      setting: 'rag',
      model: `scripted:${join(folder, 'script.jsonl')}`,
      cache: join(folder, 'cache'),
      ...options,
    })
    const tell = (event: { type: string }) =>
      event.type === 'notice' && notices.push((event as unknown as { text: string }).text)
    await executeRun(config, { tell: event => void tell(event) })
    const { attempts, scores } = await readRun(config.out)
    return { notices, attempts, scores, manifest: await readRunManifest(config.out) }
  }
  return { run }
}

it('a run needs no Chroma by default', async () => {
  const { run } = await setUp()
  const { notices, attempts, scores, manifest } = await run('default')
  expect(notices.filter(line => line.includes('Chroma'))).toEqual([])
  expect(attempts.map(attempt => optionsText(attempt.options))).toEqual(['', ''])
  expect(scores.map(score => score.metrics.cellF1)).toEqual([1, 1])
  expect(manifest.endedAt).not.toBeNull()
})

it('a run with --vector-store chroma ends with cause and fix when Chroma does not start', async () => {
  const { run } = await setUp()
  await expect(run('chosen', { vectorStore: 'chroma' })).rejects.toMatchObject({
    code: 'chroma-not-started',
    message: expect.stringMatching(/GLIBC 2\.38 is missing here\. Leave out --vector-store/),
  })
})

it('a document of which all chunks are hits needs no Chroma', async () => {
  const { run } = await setUp(sentence)
  const { attempts } = await run('small', { vectorStore: 'chroma' })
  expect(attempts.map(({ options, retrieval }) => [optionsText(options), retrieval?.chunksInPrompt])).toEqual(
    [
      ['vector-store=chroma', 1],
      ['vector-store=chroma', 1],
    ],
  )
})

it('refuses the address of a server that no search would use', async () => {
  const { run } = await setUp(sentence)
  const given = { chroma: 'http://127.0.0.1:8000' }
  await expect(run('unused', given)).rejects.toMatchObject({ code: 'chroma-without-store' })
})
