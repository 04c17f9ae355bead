import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { decodeOrGuess } from '../../retrieval/text/decode.ts'
import { readCsvAsPandas } from '../../src/text/csv.ts'

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

/** The tables of a PDF, as people or the project's own tests give their cells. */
export interface PdfTables {
  readonly path: string
  readonly tables: readonly { readonly page: number | null; readonly rows: readonly (readonly string[])[] }[]
}

/**
 * Reads the tables of a clone of github.com/tabulapdf/tabula-java: the ICDAR 2013 competition (`us` and `eu`) and the CSV files
 * of its tests. Null when the folder has none.
 */
export function readPdfTables(folder: string): { icdar: PdfTables[]; tabula: PdfTables[] } | null {
  const root = join(folder, 'tabula-java', 'src', 'test', 'resources', 'technology', 'tabula')
  if (!existsSync(root)) return null
  const icdar = ['us', 'eu'].flatMap(part => {
    const parent = join(root, 'icdar2013-dataset', `competition-dataset-${part}`)
    const names = readdirSync(parent).filter(name => name.endsWith('.pdf'))
    return names.flatMap(name => {
      const cells = join(parent, name.replace('.pdf', '-str.xml'))
      if (!existsSync(cells)) return []
      return [{ path: join(parent, name), tables: readIcdarTables(readFileSync(cells, 'utf8')) }]
    })
  })
  const tabula = readdirSync(join(root, 'csv')).flatMap(name => {
    const path = join(root, name.replace('.csv', '.pdf'))
    if (!existsSync(path)) return []
    const rows = readCsvAsPandas(readFileSync(join(root, 'csv', name), 'utf8'))
    if (typeof rows === 'string') return []
    return [{ path, tables: [{ page: null, rows }] }]
  })
  return { icdar, tabula }
}

/** The tests of camelot that expect the cells as the page shows them, none repeated or reversed: their name, and the PDF. */
const camelotTables = [
  ['data_hybrid', 'health'],
  ['data_stream_table_rotated', 'clockwise_table_2'],
  ['data_stream_table_rotated', 'anticlockwise_table_2'],
  ['data_stream_two_tables_1', 'tabula/12s0324'],
  ['data_stream_two_tables_2', 'tabula/12s0324'],
  ['data_stream_columns', 'mexican_towns'],
  ['data_stream_split_text', 'tabula/m27'],
  ['data_stream_strip_text', 'detect_vertical_false'],
  ['data_stream_inner_outer_columns', 'stream_inner_outer_columns'],
  ['data_lattice', 'tabula/icdar2013-dataset/competition-dataset-us/us-030'],
  ['data_lattice_table_rotated', 'clockwise_table_1'],
  ['data_lattice_table_rotated', 'anticlockwise_table_1'],
  ['data_lattice_two_tables_1', 'twotables_2'],
  ['data_lattice_two_tables_2', 'twotables_2'],
  ['data_lattice_process_background', 'background_lines_1'],
  ['data_lattice_shift_text_left_top', 'column_span_2'],
] as const

/** Reads the tables of the tests of a clone of github.com/camelot-dev/camelot. Null when the folder has none. */
export function readCamelotTables(folder: string): PdfTables[] | null {
  const root = join(folder, 'camelot', 'tests')
  if (!existsSync(join(root, 'data.py'))) return null
  const source = readFileSync(join(root, 'data.py'), 'utf8')
  return camelotTables.map(([name, pdf]) => ({
    path: join(root, 'files', `${pdf}.pdf`),
    tables: [{ page: null, rows: readPythonLists(source, name) }],
  }))
}

/** Reads a list of lists of texts from Python source: adjacent texts are one, and a comma may follow the last item. */
function readPythonLists(source: string, name: string): string[][] {
  const list = new RegExp(`^${name} = (\\[[\\s\\S]*?^\\])`, 'm').exec(source)?.[1] ?? '[]'
  const json = list
    .replace(/^\s*#.*$/gm, '')
    .replace(/"\s*\n\s*"/g, '')
    .replace(/,(\s*\])/g, '$1')
    .replaceAll('\\x', '\\u00')
  return JSON.parse(json) as string[][]
}

function readIcdarTables(xml: string): PdfTables['tables'] {
  const numberAt = (attributes: string, name: string): number =>
    Number(new RegExp(`${name}=["'](\\d+)`).exec(attributes)?.[1] ?? 0)
  return [...xml.matchAll(/<region ([^>]*)>([\s\S]*?)<\/region>/g)].map(([, region, body]) => {
    const rows: string[][] = []
    for (const [, cell, content] of body!.matchAll(/<cell ([^>]*)>[\s\S]*?<content>([\s\S]*?)<\/content>/g)) {
      const row = numberAt(cell!, 'start-row')
      rows[row] ??= []
      rows[row][numberAt(cell!, 'start-col')] = content!
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&')
    }
    const filled = rows.filter(row => row !== undefined).map(row => Array.from(row, text => text ?? ''))
    return { page: numberAt(region!, 'page'), rows: filled }
  })
}
