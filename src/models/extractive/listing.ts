import { documentStem } from '../../core/document.ts'
import { readLawArticles } from '../../text/law-articles.ts'
import { type DocumentKind, type DocumentTexts, labels, regex } from './labels.ts'
import type { SeenDocument } from './search.ts'

/**
 * Returns the rows that the rules of a kind find in the documents. Rows without a first cell are left out. When no rows
 * remain, each document has one row. `isFound` says whether any rule found a value.
 */
export function listingTable(kind: DocumentKind, query: string, documents: readonly SeenDocument[]) {
  const groups = regex(kind.question, 'iu').exec(query)?.groups
  const documentTexts = documents.map(({ name, text: whole }): DocumentTexts => {
    const text = whole.replace(/(\s)\1{3,}/g, '$1$1$1').replace(regex(kind.without), '')
    const [begin, head] = [text.slice(0, 60_000), text.slice(0, 6_000)]
    const texts = { ...groups, name, stem: documentStem(name), text, begin, head }
    const facts = Object.entries(kind.facts).map(([fact, sources]) => [fact, readFirst(sources, texts) ?? ''])
    return { ...texts, ...Object.fromEntries(facts) }
  })
  const titles = documentTexts.map(({ title = '' }) => title).join('\n')
  const columns = Object.entries(kind.columns)
  const readRow = (texts: DocumentTexts) => columns.map(([, sources]) => readFirst(sources, texts))
  const foundRows = documentTexts.flatMap(texts => findRows(kind, { ...texts, titles }))
  const rows = foundRows.filter(texts => readFirst(columns[0]![1], texts) !== null).map(readRow)
  const readRows = rows.length > 0 ? rows : documentTexts.map(readRow)
  // The first column is the document's name, which any document has.
  const isFound = readRows.some(row => row.slice(1).some(value => value !== null))
  return { columns: columns.map(([name]) => name), rows: readRows, isFound }
}

/** Returns the texts of each row, from the first section and the first pattern in it that find any rows. */
function findRows({ finders }: DocumentKind, texts: DocumentTexts): DocumentTexts[] {
  const { text = '' } = texts
  for (const { section: start, take, chars, end, rows, held } of finders) {
    for (const { index } of [...text.matchAll(regex(start, 'gmu', texts))].slice(...take)) {
      const length = text.slice(index + 1, index + chars).search(regex(end, 'gmu', texts))
      const section = text.slice(index, index + (length < 0 ? chars : 1 + length))
      for (const row of rows) {
        const matches: DocumentTexts[] = []
        // Texts that `held` finds also belong to all rows below them.
        let rowTexts: DocumentTexts = { ...texts, section }
        for (const { groups } of section.matchAll(regex(`(?<row>${row})|${held}`, 'gmu', texts))) {
          const copy = JSON.parse(JSON.stringify(groups)) as DocumentTexts
          if (copy.row === undefined) rowTexts = { ...rowTexts, ...copy }
          else matches.push({ ...rowTexts, ...copy })
        }
        if (matches.length > 0) return matches
      }
    }
  }
  return finders.length === 0 ? [texts] : []
}

/** Returns the first value that a source yields: one of `ways`, applied to the matches of its pattern in a text. */
function readFirst(sources: DocumentKind['facts'][string], texts: DocumentTexts): string | null {
  for (const [where, way, pattern] of sources) {
    const text = texts[where] ?? ''
    const matches = [...text.matchAll(regex(pattern, 'gmu', texts))].map(match => match[1] ?? match[0])
    const value = tidy(valueRules[way]?.(matches, texts, text, pattern))
    if (value !== null) return value
  }
  return null
}

type ValueRule = (
  matches: string[],
  texts: DocumentTexts,
  text: string,
  pattern: string,
) => string | undefined
const valueRules: Readonly<Record<string, ValueRule>> = {
  first: matches => matches[0],
  last: matches => matches.at(-1),
  list: matches => (matches.length > 1 ? writeList(matches) : matches[0]),
  date: ([match]) => match && new Date(`${match.replace(/\s+/g, ' ')} UTC`).toISOString().slice(0, 10),
  later: (_, { text = '' }, date, pattern) => {
    const years = labels.numbers[regex(pattern, 'mu').exec(text)?.[1]?.toLowerCase() ?? '']
    if (years === undefined || date === '') return undefined
    return `${Number(date.slice(0, 4)) + years}${date.slice(4)}`
  },
  named: (_, texts, text, pattern) => {
    const groups = Object.entries(regex(pattern, 'mu', texts).exec(text)?.groups ?? {})
    return groups.find(([, part]) => part !== undefined)?.[0]
  },
  articles: matches => writeList(matches.flatMap(readLawArticles)),
  implied: (_, __, text, pattern) => {
    const fitting = Object.entries(labels.articles).filter(([, is]) => regex(is).test(text))
    return writeList(fitting.map(([article]) => `${pattern}第${article}条`))
  },
  under: (_, texts, table, pattern) => {
    const heads = table.split('\n', 1)[0]!.split('\t')
    return texts.row?.split('\t')[heads.findIndex(head => regex(pattern, 'mu', texts).test(head))]
  },
  cited: (_, { title, titles = '' }, text) => {
    const foldText = (value: string): string => value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
    const otherTitles = titles.split('\n').filter(line => line !== '' && line !== title)
    return otherTitles.find(candidate => foldText(text).includes(foldText(candidate)))
  },
}

const writeList = (values: readonly string[]): string | undefined =>
  values.length === 0 ? undefined : JSON.stringify([...new Set(values)]).replaceAll('","', '", "')
const tidy = (text = ''): string | null => text.replace(/\s+/g, ' ').match(/[^ ,;](?:.*[^ ,;])?/)?.[0] ?? null
