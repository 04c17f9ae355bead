import { documentStem } from '../../core/document.ts'
import { readLawArticles } from '../../text/law-articles.ts'
import { type Kind, labels, regex, type Texts } from './labels.ts'
import type { SeenDocument } from './search.ts'

/**
 * Returns the rows that the rules of a kind find in the documents. Rows without a first cell are left out. When no rows
 * remain, each document has one row. `isFound` says whether any rule found a value.
 */
export function listingTable(kind: Kind, query: string, documents: readonly SeenDocument[]) {
  const asked = regex(kind.question, 'iu').exec(query)?.groups
  const seen = documents.map(({ name, text: whole }): Texts => {
    const text = whole.replace(/(\s)\1{3,}/g, '$1$1$1').replace(regex(kind.without), '')
    const [begin, head] = [text.slice(0, 60_000), text.slice(0, 6_000)]
    const own = { ...asked, name, stem: documentStem(name), text, begin, head }
    const facts = Object.entries(kind.facts).map(([fact, sources]) => [fact, readFirst(sources, own) ?? ''])
    return { ...own, ...Object.fromEntries(facts) }
  })
  const titles = seen.map(({ title = '' }) => title).join('\n')
  const columns = Object.entries(kind.columns)
  const readRow = (texts: Texts) => columns.map(([, sources]) => readFirst(sources, texts))
  const found = seen.flatMap(texts => findRows(kind, { ...texts, titles }))
  const rows = found.filter(texts => readFirst(columns[0]![1], texts) !== null).map(readRow)
  const read = rows.length > 0 ? rows : seen.map(readRow)
  // The first column is the document's name, which any document has.
  const isFound = read.some(row => row.slice(1).some(value => value !== null))
  return { columns: columns.map(([name]) => name), rows: read, isFound }
}

/** Returns the texts of each row, from the first section and the first pattern in it that find any rows. */
function findRows({ finders }: Kind, texts: Texts): Texts[] {
  const { text = '' } = texts
  for (const { section: start, take, chars, end, rows, held } of finders) {
    for (const { index } of [...text.matchAll(regex(start, 'gmu', texts))].slice(...take)) {
      const length = text.slice(index + 1, index + chars).search(regex(end, 'gmu', texts))
      const section = text.slice(index, index + (length < 0 ? chars : 1 + length))
      for (const row of rows) {
        const found: Texts[] = []
        // Texts that `held` finds also belong to all rows below them.
        let heldTexts: Texts = { ...texts, section }
        for (const { groups } of section.matchAll(regex(`(?<row>${row})|${held}`, 'gmu', texts))) {
          const own = JSON.parse(JSON.stringify(groups)) as Texts
          if (own.row === undefined) heldTexts = { ...heldTexts, ...own }
          else found.push({ ...heldTexts, ...own })
        }
        if (found.length > 0) return found
      }
    }
  }
  return finders.length === 0 ? [texts] : []
}

/** Returns the first value that a source yields: one of `ways`, applied to the matches of its pattern in a text. */
function readFirst(sources: Kind['facts'][string], texts: Texts): string | null {
  for (const [where, way, said] of sources) {
    const text = texts[where] ?? ''
    const found = [...text.matchAll(regex(said, 'gmu', texts))].map(match => match[1] ?? match[0])
    const value = tidy(ways[way]?.(found, texts, text, said))
    if (value !== null) return value
  }
  return null
}

type Way = (found: string[], texts: Texts, text: string, said: string) => string | undefined
const ways: Readonly<Record<string, Way>> = {
  first: found => found[0],
  last: found => found.at(-1),
  list: found => (found.length > 1 ? listed(found) : found[0]),
  date: ([one]) => one && new Date(`${one.replace(/\s+/g, ' ')} UTC`).toISOString().slice(0, 10),
  later: (_, { text = '' }, date, said) => {
    const years = labels.numbers[regex(said, 'mu').exec(text)?.[1]?.toLowerCase() ?? '']
    if (years === undefined || date === '') return undefined
    return `${Number(date.slice(0, 4)) + years}${date.slice(4)}`
  },
  named: (_, texts, text, said) => {
    const groups = Object.entries(regex(said, 'mu', texts).exec(text)?.groups ?? {})
    return groups.find(([, part]) => part !== undefined)?.[0]
  },
  articles: found => listed(found.flatMap(readLawArticles)),
  implied: (_, __, text, said) => {
    const fitting = Object.entries(labels.articles).filter(([, is]) => regex(is).test(text))
    return listed(fitting.map(([article]) => `${said}第${article}条`))
  },
  under: (_, texts, table, said) => {
    const heads = table.split('\n', 1)[0]!.split('\t')
    return texts.row?.split('\t')[heads.findIndex(head => regex(said, 'mu', texts).test(head))]
  },
  cited: (_, { title, titles = '' }, text) => {
    const bare = (value: string): string => value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
    const others = titles.split('\n').filter(other => other !== '' && other !== title)
    return others.find(other => bare(text).includes(bare(other)))
  },
}

const listed = (values: readonly string[]): string | undefined =>
  values.length === 0 ? undefined : JSON.stringify([...new Set(values)]).replaceAll('","', '", "')
const tidy = (text = ''): string | null => text.replace(/\s+/g, ' ').match(/[^ ,;](?:.*[^ ,;])?/)?.[0] ?? null
