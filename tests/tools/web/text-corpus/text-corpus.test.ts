import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, describe, expect, it } from 'vitest'
import { hashEmbedder } from '../../../../retrieval/embeddings/hash.ts'
import { makeFolder } from '../../../../src/system/files.ts'
import { loadCorpus } from '../../../../tools/web/corpus-folder.ts'
import { buildTextCorpus } from '../../../../tools/web/text-corpus/build.ts'

const folder = mkdtempSync(join(tmpdir(), 'tablehunt-corpus-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const documents = [
  {
    docid: '101',
    url: 'https://ships.example.org/list?id=1',
    text: '---\ntitle: "Ships of Orvald"\n---\nThe Brisling sailed in 1904.',
  },
  {
    docid: 102,
    url: 'https://ships.example.org/list?id=2',
    title: 'Harbours',
    text: 'Orvald has 3 harbours. 奥瓦尔德',
  },
  {
    docid: 'x/3',
    url: 'https://ships.example.org/list?id=2&utm_source=a',
    text: 'Brisling Brisling Brisling',
  },
  { docid: '104', url: 'http://192.168.0.1/secret', text: '' },
  { docid: '105', text: 'No address.' },
]

async function built(name: string, lines: readonly unknown[], dense = false): Promise<string> {
  const file = join(folder, `${name}.jsonl`)
  const text = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  await writeFile(file, text)
  return await builtOf(name, file, dense)
}

async function builtOf(name: string, file: string, dense = false): Promise<string> {
  const out = join(folder, name)
  await makeFolder(out)
  const embedder = { name: 'hash', embedder: hashEmbedder(), cacheFolder: folder }
  await buildTextCorpus({ files: [file], folder: out, dense: dense ? embedder : null })
  return out
}

describe('a corpus of texts', () => {
  it('has each document at its own address, or at one of its id', async () => {
    const corpus = await loadCorpus(await built('addresses', documents))
    expect(corpus.items.map(({ entry }) => [entry.name, entry.url, entry.title])).toEqual([
      ['101', 'https://ships.example.org/list?id=1', 'Ships of Orvald'],
      ['102', 'https://ships.example.org/list?id=2', 'Harbours'],
      ['x/3', 'https://documents.corpus.example/x%2F3', 'Brisling Brisling Brisling'],
      ['104', 'https://documents.corpus.example/104', 'Document'],
      ['105', 'https://documents.corpus.example/105', 'No address.'],
    ])
    const [first, second, , empty] = corpus.items
    expect(Buffer.from(await first!.body()).toString()).toBe(documents[0]!.text)
    expect(await second!.text()).toBe(documents[1]!.text)
    expect((await second!.text(3)).slice(0, 3)).toBe('Orv')
    expect([empty!.entry.hasText, await empty!.text()]).toEqual([false, ''])
  })

  it('is searched by words and, when it has them, by vectors', async () => {
    const corpus = await loadCorpus(await built('dense', documents, true))
    expect(await corpus.rankers!.bm25('brisling', 5)).toEqual([2, 0])
    expect(await corpus.rankers!.bm25('brisling', 5, place => place !== 2)).toEqual([0])
    expect((await corpus.rankers!.dense!('how many harbours has Orvald', 5))[0]).toBe(1)
    expect((await loadCorpus(await built('words', documents))).rankers).not.toHaveProperty('dense')
  })

  it('is the same from Parquet as from JSON lines', async () => {
    const column = (name: 'docid' | 'text' | 'url') => ({
      name,
      data: documents.map(document => (document[name] === undefined ? null : String(document[name]))),
      type: 'STRING' as const,
    })
    const file = join(folder, 'rows.parquet')
    const columnData = [column('docid'), column('text'), column('url')]
    await writeFile(file, new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 2 })))
    const untitled = documents.map(({ docid, text, url }) => ({ docid, text, ...(url && { url }) }))
    const [rows, lines] = [
      await loadCorpus(await builtOf('rows', file)),
      await loadCorpus(await built('lines', untitled)),
    ]
    expect(rows.items.map(({ entry }) => entry)).toEqual(lines.items.map(({ entry }) => entry))
    expect(rows.hash).toBe(lines.hash)
  })

  it.each([
    ['no JSON', [documents[0], '{"docid": '], /bad\.jsonl:2: the line is not JSON/],
    ['no text', [{ docid: '1' }], /bad\.jsonl:1: .*text/],
    ['no id', [{ text: 'a' }], /bad\.jsonl:1: .*docid/],
    [
      'a repeated id',
      [documents[0], documents[4], documents[0]],
      /bad\.jsonl:3: .*bad\.jsonl:1 has the docid '101' too/,
    ],
  ])('is not built of a record with %s', async (_name, lines, message) => {
    await expect(built('bad', lines)).rejects.toMatchObject({
      code: 'invalid-corpus-document',
      message: expect.stringMatching(message),
    })
    // An interrupted build leaves no corpus.
    await expect(loadCorpus(join(folder, 'bad'))).rejects.toMatchObject({ code: 'missing-corpus' })
  })

  it('is not built of nothing, of a missing file, or of a file that is not Parquet', async () => {
    await expect(built('none', [''])).rejects.toMatchObject({ code: 'empty-corpus' })
    const missing = join(folder, 'missing.jsonl')
    await expect(builtOf('gone', missing)).rejects.toMatchObject({ code: 'unreadable-corpus-file' })
    const torn = join(folder, 'torn.parquet')
    await writeFile(torn, 'PAR1 and nothing more')
    await expect(builtOf('torn', torn)).rejects.toMatchObject({ code: 'unreadable-corpus-file' })
  })

  it('is refused when a file has been changed or is incomplete, or was never built', async () => {
    const changed = await built('changed', documents)
    const list = join(changed, 'documents.jsonl')
    await writeFile(list, (await readFile(list, 'utf8')).replace('Harbours', 'Havens'))
    await expect(loadCorpus(changed)).rejects.toMatchObject({ code: 'damaged-corpus' })
    for (const name of ['texts.bin', 'vectors.f32', 'index/lengths.bin']) {
      const short = await built('short', documents, true)
      await writeFile(join(short, name), 'abcd')
      await expect(loadCorpus(short), name).rejects.toMatchObject({ code: 'damaged-corpus' })
    }
    await expect(loadCorpus(join(folder, 'words.jsonl'))).rejects.toMatchObject({
      code: 'missing-corpus',
      message: expect.stringContaining('tablehunt web build'),
    })
  })
})
