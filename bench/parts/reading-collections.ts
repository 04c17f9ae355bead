import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { findElement, parseXml, walkElements } from '../../retrieval/office/xml-tree.ts'
import { decodeOrGuess } from '../../retrieval/text/decode.ts'
import { readTextFileSync } from '../../src/system/files.ts'
import { readCsvAsPandas } from '../../src/text/csv.ts'

/** Each function reads the clone of a public repository: its pages or PDFs, and what people marked in them. */

/** A page or a PDF with what its text should have. */
export interface ReadingCase<Expected> {
  /** HTML, or the path of a PDF. */
  readonly source: string
  /** The address of a page; missing for PDFs. */
  readonly url?: string
  readonly expected: Expected
}

/** The rows of a table. A cell over several columns has its text in the first of them. */
export type ExpectedTable = readonly (readonly string[])[]

/** Phrases that the text of a page should and should not have. */
export type Phrases = Readonly<Record<'wanted' | 'unwanted', readonly string[]>>

/** The tables of a PDF with their pages; null when any page may have them. */
export type PdfTables = readonly { readonly page: number | null; readonly rows: ExpectedTable }[]

const readText = (...path: readonly string[]): string => readTextFileSync(join(...path))

/** Reads github.com/scrapinghub/article-extraction-benchmark: pages with the text of their article. */
export function readArticles(clone: string): ReadingCase<string>[] {
  type Truth = Record<string, { articleBody: string; url: string }>
  const truth: Truth = JSON.parse(readText(clone, 'ground-truth.json'))
  return Object.entries(truth).map(([id, { articleBody, url }]) => ({
    source: gunzipSync(readFileSync(join(clone, 'html', `${id}.html.gz`))).toString(),
    url,
    expected: articleBody,
  }))
}

/** Reads the test pages of github.com/adbar/trafilatura. */
export function readPhrasePages(clone: string): ReadingCase<Phrases>[] {
  const tests = join(clone, 'tests')
  type Marked = Record<string, { file: string; with: string[]; without: string[] }>
  const marked: Marked = JSON.parse(readText(tests, 'evaldata.json'))
  return Object.entries(marked).map(([url, page]) => {
    const file = ['cache', 'eval'].map(name => join(tests, name, page.file)).find(existsSync) ?? page.file
    const { text } = decodeOrGuess(readFileSync(file), '')
    return { source: text, url, expected: { wanted: page.with, unwanted: page.without } }
  })
}

/**
 * Reads every seventh table of github.com/ppasupat/WikiTableQuestions, without the alternative texts of pictures, which the
 * expected cells leave out.
 */
export function readTables(clone: string): ReadingCase<ExpectedTable>[] {
  const folder = join(clone, 'csv')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.html'))
    .sort()
    .filter((_name, at) => at % 7 === 0)
  return names.map(name => {
    const html = readText(folder, name).replace(/ alt="[^"]*"/g, '')
    const lines = readText(folder, name.replace(/html$/, 'tsv')).trimEnd().split('\n')
    return {
      source: `<!doctype html><meta charset="utf-8"><title>Table</title>${html}`,
      url: 'https://tables.test/',
      expected: lines.map(line =>
        line.split('\t').map(cell => cell.replaceAll('\\n', ' ').replaceAll('\\p', '|')),
      ),
    }
  })
}

const tabulaResources = ['src', 'test', 'resources', 'technology', 'tabula']

/** Reads the tables of the ICDAR 2013 competition (`us` and `eu`) in github.com/tabulapdf/tabula-java. */
export function readIcdarTables(clone: string): ReadingCase<PdfTables>[] {
  return ['us', 'eu'].flatMap(part => {
    const folder = join(clone, ...tabulaResources, 'icdar2013-dataset', `competition-dataset-${part}`)
    const names = readdirSync(folder).flatMap(name => /^(.*)\.pdf$/.exec(name)?.[1] ?? [])
    return names
      .filter(name => existsSync(join(folder, `${name}-str.xml`)))
      .map(name => ({
        source: join(folder, `${name}.pdf`),
        expected: readRegions(readText(folder, `${name}-str.xml`)),
      }))
  })
}

function readRegions(xml: string): PdfTables {
  return [...walkElements(parseXml(xml), 'region')].map(region => {
    const rows: string[][] = []
    for (const cell of walkElements(region, 'cell')) {
      // One table counts its rows from -1.
      const row = Math.max(0, Number(cell.attributes['start-row']))
      rows[row] ??= []
      rows[row][Number(cell.attributes['start-col'])] = findElement(cell, 'content')?.children.join('') ?? ''
    }
    const filled = rows.filter(row => row !== undefined).map(row => Array.from(row, text => text ?? ''))
    return { page: Number(region.attributes.page), rows: filled }
  })
}

/** Reads the CSV files of the tests of github.com/tabulapdf/tabula-java. */
export function readTabulaTables(clone: string): ReadingCase<PdfTables>[] {
  const folder = join(clone, ...tabulaResources)
  return readdirSync(join(folder, 'csv')).flatMap(name => {
    const source = join(folder, name.replace('.csv', '.pdf'))
    const rows = readCsvAsPandas(readText(folder, 'csv', name))
    if (!existsSync(source) || typeof rows === 'string') return []
    return [{ source, expected: [{ page: null, rows }] }]
  })
}

/** The tests of camelot that expect the cells as the page shows them, none repeated or reversed, and their PDFs. */
const camelotTables = Object.entries({
  data_hybrid: ['health'],
  data_stream_table_rotated: ['clockwise_table_2', 'anticlockwise_table_2'],
  data_stream_two_tables_1: ['tabula/12s0324'],
  data_stream_two_tables_2: ['tabula/12s0324'],
  data_stream_columns: ['mexican_towns'],
  data_stream_split_text: ['tabula/m27'],
  data_stream_strip_text: ['detect_vertical_false'],
  data_stream_inner_outer_columns: ['stream_inner_outer_columns'],
  data_lattice: ['tabula/icdar2013-dataset/competition-dataset-us/us-030'],
  data_lattice_table_rotated: ['clockwise_table_1', 'anticlockwise_table_1'],
  data_lattice_two_tables_1: ['twotables_2'],
  data_lattice_two_tables_2: ['twotables_2'],
  data_lattice_process_background: ['background_lines_1'],
  data_lattice_shift_text_left_top: ['column_span_2'],
})

/** Reads the tables of the tests of github.com/camelot-dev/camelot. */
export function readCamelotTables(clone: string): ReadingCase<PdfTables>[] {
  const data = readText(clone, 'tests', 'data.py')
  return camelotTables.flatMap(([name, pdfs]) =>
    pdfs.map(pdf => ({
      source: join(clone, 'tests', 'files', `${pdf}.pdf`),
      expected: [{ page: null, rows: readPythonLists(data, name) }],
    })),
  )
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
