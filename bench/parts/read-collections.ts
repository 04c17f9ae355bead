import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { decodeOrGuess } from '../../retrieval/text/decode.ts'

/** A page with the text of its article, as people marked it. */
export interface ArticlePage {
  readonly html: string
  readonly url: string
  readonly expected: string
}

/** A page with phrases that its text should and should not have, as people marked them. */
export interface PhrasePage {
  readonly html: string
  readonly url: string
  readonly wanted: readonly string[]
  readonly unwanted: readonly string[]
}

/** A table as HTML with its cells. */
export interface TablePage {
  readonly html: string
  readonly rows: readonly (readonly string[])[]
}

/** The folder of the collections; null when TABLEHUNT_BENCH_READING names none. */
export const readingFolder = (): string | null => process.env.TABLEHUNT_BENCH_READING || null

/** Reads a clone of github.com/scrapinghub/article-extraction-benchmark. Null when the folder has none. */
export function readArticles(folder: string): ArticlePage[] | null {
  const root = join(folder, 'article-extraction-benchmark')
  if (!existsSync(join(root, 'ground-truth.json'))) return null
  type Truth = Record<string, { articleBody: string; url: string }>
  const truth = JSON.parse(readFileSync(join(root, 'ground-truth.json'), 'utf8')) as Truth
  return Object.entries(truth).map(([id, { articleBody, url }]) => ({
    html: gunzipSync(readFileSync(join(root, 'html', `${id}.html.gz`))).toString(),
    url,
    expected: articleBody,
  }))
}

/** Reads the test pages of a clone of github.com/adbar/trafilatura. Null when the folder has none. */
export function readPhrasePages(folder: string): PhrasePage[] | null {
  const root = join(folder, 'trafilatura', 'tests')
  const list = join(root, 'evaldata.json')
  if (!existsSync(list)) return null
  type Marked = Record<string, { file: string; with: string[]; without: string[] }>
  const marked = JSON.parse(readFileSync(list, 'utf8')) as Marked
  return Object.entries(marked).map(([url, page]) => {
    const file = ['cache', 'eval'].map(name => join(root, name, page.file)).find(existsSync) ?? page.file
    const { text } = decodeOrGuess(readFileSync(file), '')
    return { html: text, url, wanted: page.with, unwanted: page.without }
  })
}

/**
 * Reads every seventh table of a clone of github.com/ppasupat/WikiTableQuestions, without the alternative texts of pictures,
 * which the expected cells leave out. Null when the folder has none.
 */
export function readTables(folder: string): TablePage[] | null {
  const root = join(folder, 'WikiTableQuestions', 'csv')
  if (!existsSync(root)) return null
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.html'))
    .sort()
    .filter((_name, at) => at % 7 === 0)
  return names.map(name => ({
    html: readFileSync(join(root, name), 'utf8').replace(/ alt="[^"]*"/g, ''),
    rows: readFileSync(join(root, name.replace(/html$/, 'tsv')), 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => line.split('\t').map(cell => cell.replaceAll('\\n', ' ').replaceAll('\\p', '|'))),
  }))
}
