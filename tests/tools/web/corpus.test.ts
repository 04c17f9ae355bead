import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/system/hash.ts'
import type { Corpus } from '../../../tools/web/corpus.ts'
import type { CorpusInput, SourceDocument } from '../../../tools/web/corpus-build.ts'
import { buildCorpus } from '../../../tools/web/corpus-build.ts'
import { loadCorpus, saveCorpus } from '../../../tools/web/corpus-folder.ts'
import { containsFileName, findPassage, findTitle } from '../../../tools/web/corpus-text.ts'
import { writePdf } from '../../../tools/web/pdf-writer.ts'
import { countSharedNumbers } from '../../../tools/web/twin.ts'
import { caseDocument, quarterlyReport, sampleInput } from './sample-corpus.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-corpus-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const entriesOf = (corpus: Corpus) => corpus.items.map(item => item.entry)

describe('a corpus', () => {
  it('is the same for the same input and seed, and differs for another seed', async () => {
    const first = await buildCorpus(sampleInput(6))
    const second = await buildCorpus(sampleInput(6))
    const other = await buildCorpus({ ...sampleInput(6), seed: 1 })
    expect(entriesOf(second)).toEqual(entriesOf(first))
    expect(second.hash).toBe(first.hash)
    expect(other.hash).not.toBe(first.hash)
  })

  it('is identified by its documents, their reader and its settings, not by an incomplete text', async () => {
    const { documents, ...rest } = sampleInput(3)
    const hashOf = async (change: (document: SourceDocument) => SourceDocument, more: object = {}) =>
      (await buildCorpus({ ...rest, ...more, documents: documents.map(change) })).hash
    const reader = 'text-2+tesseract-5'
    const whole = await hashOf(document => ({ ...document, reader }))
    expect(await hashOf(document => ({ ...document, reader, text: document.text!.slice(0, 60) }))).toBe(whole)
    const others = [
      hashOf(document => ({ ...document, reader: 'text-2' })),
      hashOf(document => ({ ...document, reader, source: { bytes: writePdf('other', '') } })),
      hashOf(document => ({ ...document, reader, name: `new ${document.name}` })),
      hashOf(document => ({ ...document, reader }), { twins: 2 }),
      hashOf(document => ({ ...document, reader }), {
        embedded: [{ ...caseDocument, text: 'Other words.' }],
      }),
    ]
    expect(new Set([whole, ...(await Promise.all(others))]).size).toBe(others.length + 1)
  })

  it('keeps the bytes of the documents, with their hash and their document name in the tasks', async () => {
    const input = sampleInput(2)
    const corpus = await buildCorpus(input)
    for (const document of input.documents) {
      const item = corpus.items.find(({ entry }) => entry.hint === document.name)!
      const bytes = 'bytes' in document.source ? document.source.bytes : Buffer.alloc(0)
      expect(item.entry.sha256).toBe(sha256(bytes))
      expect(Buffer.from(await item.body()).equals(Buffer.from(bytes))).toBe(true)
    }
  })

  it('hides the file names of half of the documents from search results', async () => {
    const corpus = await buildCorpus(sampleInput(20))
    const real = entriesOf(corpus).filter(entry => entry.hint?.endsWith('.pdf'))
    const hidden = real.filter(entry => entry.nameHidden)
    expect(hidden.length).toBe(10)
    for (const entry of hidden) {
      expect(
        containsFileName(`${entry.title} ${entry.snippet} ${decodeURI(entry.resultUrl)}`, entry.name),
      ).toBe(false)
    }
    for (const entry of real.filter(candidate => !candidate.nameHidden)) {
      expect(containsFileName(decodeURIComponent(entry.resultUrl), entry.name)).toBe(true)
    }
  })

  it('titles a document without text by its file name, and makes no twin of it', async () => {
    const scan = { name: 'Resume-Scan.pdf', source: { bytes: writePdf('', '') }, text: null }
    const corpus = await buildCorpus({ ...sampleInput(1), documents: [scan], embedded: [], twins: 3 })
    expect(corpus.items).toHaveLength(1)
    expect(corpus.items[0]!.entry).toMatchObject({
      title: 'Resume-Scan',
      nameHidden: false,
      hint: 'Resume-Scan.pdf',
    })
  })

  it('builds a page for a case inside a record, titled with its name', async () => {
    const corpus = await buildCorpus({ ...sampleInput(0), embedded: [caseDocument], twins: 1 })
    const [page, twin] = corpus.items
    expect(page!.entry).toMatchObject({
      title: '张某某诈骗案',
      hint: '张某某诈骗案',
      landingUrl: null,
      twinOf: null,
    })
    const html = Buffer.from(await page!.body()).toString()
    expect(html).toContain('<h1>张某某诈骗案</h1>')
    expect(html).toContain('25,300')
    expect(twin!.entry).toMatchObject({ hint: null, twinOf: '张某某诈骗案' })
    expect(twin!.entry.title).not.toBe('张某某诈骗案')
  })

  it('marks twins only in the manifest; each has another name, title and figures', async () => {
    const corpus = await buildCorpus({ ...sampleInput(5), twins: 2 })
    const byName = new Map(corpus.items.map(item => [item.entry.name, item]))
    const twins = corpus.items.filter(item => item.entry.twinOf !== null)
    expect(twins).toHaveLength(2 * (5 + 1))
    expect(new Set(corpus.items.map(item => item.entry.url)).size).toBe(corpus.items.length)
    for (const twin of twins) {
      const original = byName.get(twin.entry.twinOf!)!
      expect(twin.entry.hint).toBeNull()
      expect(twin.entry.name).not.toBe(original.entry.name)
      expect(twin.entry.title).not.toBe(original.entry.title)
      expect(countSharedNumbers(await original.text(), await twin.text())).toBeLessThan(0.95)
      expect(Buffer.from(await twin.body()).toString('latin1')).not.toMatch(/twin|distractor|sealed/i)
    }
  })

  it('never gives a twin the name or title of another document, such as another year of a report', async () => {
    const report = (year: number) => {
      const text = `# 甲公司 ${year}年年度报告\n| 营业收入 | ${year * 617} |\n| 净利润 | ${year * 43} |\n`
      return { name: `甲公司${year}年年度报告.md`, source: { bytes: Buffer.from(text) }, text }
    }
    const documents = [2020, 2021, 2022, 2023].map(report)
    for (const seed of [0, 1, 2]) {
      const corpus = await buildCorpus({ documents, embedded: [], twins: 2, seed })
      for (const field of ['name', 'title'] as const) {
        const real = corpus.items.filter(item => item.entry.twinOf === null).map(item => item.entry[field])
        const twins = corpus.items.filter(item => item.entry.twinOf !== null)
        expect(twins).toHaveLength(8)
        expect(twins.filter(twin => real.includes(twin.entry[field])).map(twin => twin.entry.name)).toEqual(
          [],
        )
      }
    }
  })

  it('shortens a twin when figures alone do not distinguish it', async () => {
    const text = Array.from(
      { length: 40 },
      (_, index) => `Sentence ${'abcdefghij'[index % 10]} of a story.`,
    ).join('\n')
    const story = { name: 'story.txt', source: { bytes: Buffer.from(text) }, text }
    const corpus = await buildCorpus({ ...sampleInput(0), embedded: [], documents: [story], twins: 1 })
    const twin = corpus.items.find(item => item.entry.twinOf === 'story.txt')!
    expect((await twin.text()).length).toBeLessThan(text.length * 0.6)
  })

  it('is rejected without documents, with the fix', async () => {
    const nothing: CorpusInput = { documents: [], embedded: [], twins: 1, seed: 0 }
    await expect(buildCorpus(nothing)).rejects.toMatchObject({
      code: 'empty-corpus',
      message: expect.stringContaining('choose a folder'),
    })
  })

  it('is loaded from its folder as it was saved', async () => {
    const corpus = await buildCorpus({ ...sampleInput(4), embedded: [caseDocument], twins: 1 })
    await saveCorpus(corpus, join(folder, 'saved'))
    const loaded = await loadCorpus(join(folder, 'saved'))
    expect(entriesOf(loaded)).toEqual(entriesOf(corpus))
    expect(loaded.hash).toBe((await loadCorpus(join(folder, 'saved'))).hash)
    const manifest = join(folder, 'saved', 'corpus.json')
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"title": "', '"title": "Another '))
    expect((await loadCorpus(join(folder, 'saved'))).hash).not.toBe(loaded.hash)
    for (const [index, item] of corpus.items.entries()) {
      expect(await loaded.items[index]!.text()).toBe(await item.text())
      const beginning = await loaded.items[index]!.text(50)
      expect(beginning.slice(0, 50)).toBe((await item.text()).slice(0, 50))
      expect(sha256(await loaded.items[index]!.body())).toBe(item.entry.sha256)
    }
  })

  it('rejects a folder without a corpus, a damaged manifest, an empty corpus and missing files', async () => {
    await expect(loadCorpus(join(folder, 'nowhere'))).rejects.toMatchObject({
      code: 'missing-corpus',
      message: expect.stringContaining('tablehunt web build'),
    })
    await writeFile(join(folder, 'corpus.json'), '{"format"')
    await expect(loadCorpus(folder)).rejects.toMatchObject({ code: 'damaged-corpus' })
    await writeFile(join(folder, 'corpus.json'), '{"format":"tablehunt-corpus-1","seed":0,"entries":[]}')
    await expect(loadCorpus(folder)).rejects.toMatchObject({ code: 'empty-corpus' })
    const torn = join(folder, 'torn')
    await saveCorpus(await buildCorpus(sampleInput(2)), torn)
    await rm(join(torn, 'texts'), { recursive: true })
    await expect(loadCorpus(torn)).rejects.toMatchObject({
      code: 'damaged-corpus',
      message: expect.stringMatching(/6 of its files are missing \(texts\/.*build the corpus again/),
    })
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    await expect(saveCorpus(await buildCorpus(sampleInput(1)), file)).rejects.toMatchObject({
      code: 'folder-not-writable',
      message: expect.stringContaining('--out'),
    })
    expect(await readFile(file, 'utf8')).toBe('')
  })
})

describe('a title', () => {
  it('comes from the informative lines of a text, not from its boilerplate', () => {
    const title = findTitle(quarterlyReport(0, 2024))
    expect(title).toContain('quarterly period ended March 31, 2024')
    expect(title).toContain('ALDER')
    expect(title).not.toMatch(/Washington|UNITED STATES/)
    expect(findTitle('# 恒通股份有限公司\n2023年年度报告\n正文')).toContain('恒通股份有限公司')
    expect(findTitle(' \n 12 34 \n')).toBeNull()
  })
})

describe('a passage', () => {
  const filler = 'nothing of note stands here. '.repeat(20)
  const passage = (text: string, query: string) => findPassage({ text, lower: text.toLowerCase() }, query)

  it('is where most words of a query are close together, the first of equal places', () => {
    const text = `Revenue alone. ${filler}Net income, Revenue and assets: 4,512. ${filler}Assets, revenue, net income: 7.`
    expect(passage(text, 'net income revenue assets')).toContain('4,512')
  })

  it('counts a repeated word once', () => {
    const text = `${'revenue '.repeat(25)}${filler}Revenue and income of 4,512. ${filler}`
    expect(passage(text, 'revenue income')).toContain('4,512')
  })

  it('is found in Chinese text, and is the beginning when no word matches', () => {
    const text = `公司简介。${'其他内容。'.repeat(100)}营业收入为4512万元。`
    expect(passage(text, '营业收入')).toContain('4512')
    expect(passage(text, 'zebra')).toMatch(/^公司简介/)
  })
})
