import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DocumentReader } from '../../retrieval/document-reader.ts'
import type { Task } from '../../src/core/task.ts'
import { readCorpusInput } from '../../src/run/open-run/corpus-input.ts'
import { sha256 } from '../../src/system/hash.ts'
import { buildCorpus } from '../../tools/web/corpus-build.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-corpus-input-'))
  for (const name of ['plain.txt', 'scan.pdf']) await writeFile(join(folder, name), `bytes of ${name}`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A reader that has no time for a scan the first few times. */
function busyReader(lateTimes: number, recogniser = ''): DocumentReader {
  let reads = 0
  return {
    async read(bytes, name) {
      const late = name === 'scan.pdf' && reads++ < lateTimes
      return {
        sha256: sha256(bytes),
        format: 'pdf',
        pages: [
          {
            number: 1,
            text: late ? '' : `Text of ${name}, revenue 4,512,137`,
            ocr: !late && name === 'scan.pdf',
          },
        ],
        problem: late ? 'scanned: page 1 could not be read in time' : null,
        reader: `test-1${recogniser}`,
        lasting: !late,
      }
    },
    close: async () => undefined,
  }
}

async function made(lateTimes: number) {
  const told: string[] = []
  const config = { docs: folder, twins: 1, seed: 0 }
  const sources = { config, tasks: [], distractors: null, tell: (line: string) => void told.push(line) }
  const input = await readCorpusInput(sources, busyReader(lateTimes))
  return { told, texts: input.documents.map(document => document.text), corpus: await buildCorpus(input) }
}

it('reads a document again after a timeout, and reports nothing when that succeeds', async () => {
  const [quiet, busy] = [await made(0), await made(1)]
  expect(busy.told).toEqual([])
  expect(busy.texts).toEqual(quiet.texts)
  expect(busy.corpus.items.map(item => item.entry)).toEqual(quiet.corpus.items.map(item => item.entry))
})

it('reports a document that remains unreadable, and keeps the hash of the corpus', async () => {
  const [quiet, busy] = [await made(0), await made(9)]
  expect(busy.told).toEqual([
    'documents: scan.pdf: scanned: page 1 could not be read in time; searches do not find its missing text',
  ])
  expect(busy.texts).toEqual([quiet.texts[0], null])
  expect(busy.corpus.hash).toBe(quiet.corpus.hash)
})

it('reads files in folders and behind links, and names the unreadable ones', async () => {
  const deep = await mkdtemp(join(tmpdir(), 'tablehunt-deep-'))
  await mkdir(join(deep, '2024'))
  await writeFile(join(deep, '2024', 'report.txt'), 'bytes')
  await symlink(join('2024', 'report.txt'), join(deep, 'linked.txt'))
  await symlink(join(deep, 'gone'), join(deep, 'dangling.txt'))
  await symlink(deep, join(deep, '2024', 'again'))
  await writeFile(join(deep, 'vast.pdf'), '')
  await truncate(join(deep, 'vast.pdf'), 600_000_000)
  const made = async (extra: object) => {
    const told: string[] = []
    const config = { docs: deep, twins: 0, seed: 0 }
    const tell = (line: string) => void told.push(line)
    const input = await readCorpusInput(
      { config, tasks: [], distractors: null, tell, ...extra },
      busyReader(0),
    )
    return { names: input.documents.map(document => document.name), told: told.sort() }
  }
  expect(await made({ deep: true })).toEqual({
    names: ['2024/report.txt', 'linked.txt'],
    told: [
      'documents: again: left out: this link leads to a folder that contains it',
      'documents: dangling.txt: left out: it cannot be read (ENOENT)',
      'documents: vast.pdf: left out: it is larger than 500 MB',
    ],
  })
  expect((await made({})).names).toEqual(['linked.txt'])
  await symlink(join(folder, 'plain.txt'), join(deep, '2024', 'out.txt'))
  await expect(made({ deep: true })).rejects.toMatchObject({ code: 'link-outside-folder' })
  await rm(deep, { recursive: true })
})

it('depends on the OCR program only when the documents include a scan', async () => {
  const hashWith = async (recogniser: string, names: readonly string[]) => {
    const config = { docs: folder, twins: 0, seed: 0 }
    const input = await readCorpusInput({ config, tasks: [], distractors: null }, busyReader(0, recogniser))
    const documents = input.documents.filter(document => names.includes(document.name))
    return (await buildCorpus({ ...input, documents })).hash
  }
  const both = ['plain.txt', 'scan.pdf']
  expect(await hashWith('+ocr-5', ['plain.txt'])).toBe(await hashWith('', ['plain.txt']))
  expect(await hashWith('+ocr-5', both)).not.toBe(await hashWith('+ocr-4', both))
})

it('serves every case inside a record: twice when facts differ under one name, once when they are equal', async () => {
  const taskWith = (...texts: readonly string[]): Task => ({
    question: {
      taskId: 't',
      benchmark: 'aoe',
      domain: 'legal',
      language: 'zh',
      query: '?',
      documentNames: ['刘某盗窃案'],
      form: { kind: 'table' },
    },
    gold: { kind: 'json', value: null, schema: null, schemaName: '' } as unknown as Task['gold'],
    documents: texts.map(text => ({
      name: '刘某盗窃案',
      title: '刘某盗窃案',
      load: async () => ({ kind: 'text', text }),
    })),
    evidence: null,
  })
  const facts = ['被告人刘某盗窃财物价值5,000元。', '被告人刘某盗窃财物价值73,000元。'] as const
  const tasks = [taskWith(facts[0]), taskWith(facts[1]), taskWith(facts[0])]
  const config = { docs: null, twins: 0, seed: 0 }
  const { items } = await buildCorpus(
    await readCorpusInput({ config, tasks, distractors: null }, busyReader(0)),
  )
  expect(await Promise.all(items.map(item => item.text()))).toEqual([...facts])
  expect(new Set(items.map(item => item.entry.url)).size).toBe(2)
})
