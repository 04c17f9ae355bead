import { type Block, type DemoDocument, heading, paragraph, subheading, table } from './blocks.ts'
import type { Paper, ResultTable } from './paper.ts'

/**
 * Writes a paper as a document.
 *
 * @param all - the papers that it may cite by key
 * @throws Error when a citation is missing in its references
 */
export function paperDocument(paper: Paper, all: readonly Paper[]): DemoDocument {
  const numbers = new Map(paper.references.map((reference, index) => [reference.key, index + 1]))
  const cite = (text: string) =>
    text.replace(/\{cite:(\w+)\}/g, (_match, key: string) => {
      const number = numbers.get(key)
      if (number === undefined) throw new Error(`${paper.key} cites ${key}, which its references lack`)
      return `[${number}]`
    })
  return {
    fileName: paper.fileName,
    title: paper.title,
    author: paper.authors,
    runningHead: `${paper.authors.split(',')[0]} et al.    ${paper.title}`,
    language: 'en',
    blocks: [
      { kind: 'title', text: paper.title, below: [paper.authors, paper.venue] },
      subheading('Abstract'),
      paragraph(paper.abstract),
      ...paper.sections.flatMap(section => [
        heading(section.title),
        ...section.paragraphs.map(text => paragraph(cite(text))),
        ...section.tables.flatMap(results => resultTable(results, paper.marksOwn)),
      ]),
      heading('References'),
      ...paper.references.map((reference, index) =>
        paragraph(
          `[${index + 1}] ${'text' in reference ? reference.text : inReferences(reference.key, all)}`,
        ),
      ),
    ],
  }
}

function resultTable(results: ResultTable, marksOwn: boolean): Block[] {
  const mark = marksOwn ? ' (ours)' : ''
  const widths = results.header.map((_column, index) => (index === 0 ? 34 : 66 / (results.header.length - 1)))
  return [
    subheading(results.caption),
    table(
      widths,
      results.header,
      results.rows.map(({ cells, own }) =>
        cells.map((cell, index) => (index === 0 && own ? `*${cell}${mark}` : cell)),
      ),
    ),
  ]
}

function inReferences(key: string, all: readonly Paper[]): string {
  const cited = all.find(paper => paper.key === key)
  if (cited === undefined) throw new Error(`no paper ${key}`)
  return `${cited.authors}. ${cited.title}. ${cited.venue}.`
}

/** Returns the gold of AOE's task academic_0: what each paper uses from which other paper. */
export function citationRows(papers: readonly Paper[]): Record<string, string>[] {
  return papers.flatMap(paper =>
    paper.citations.map(citation => ({
      'Cited paper title': titleOf(citation.cited, papers),
      'Referencing paper title': paper.title,
      'Referenced content': citation.sentence,
      Label: citation.label,
    })),
  )
}

function titleOf(key: string, papers: readonly Paper[]): string {
  return papers.find(paper => paper.key === key)?.title ?? key
}

/** Returns the gold of AOE's task academic_1: the results of each paper's own methods on a benchmark. */
export function resultRows(papers: readonly Paper[], benchmark: string): Record<string, string>[] {
  return papers.flatMap(paper =>
    paper.sections
      .flatMap(section => section.tables)
      .flatMap(results => {
        const column = results.header.indexOf(benchmark)
        return results.rows
          .filter(row => row.own && column > 0)
          .map(row => ({
            paper_name: paper.title,
            method: row.cells[0] ?? '',
            result: row.cells[column] ?? '',
          }))
      }),
  )
}
