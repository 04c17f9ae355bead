import { readChineseNumeral } from '../../core/values.ts'
import { type Kind, labels, regex, type Source, type Texts } from './labels.ts'
import { type Cell, type SeenDocument, stemOf, type Table } from './table.ts'

/** The rows that a kind finds in the documents, without those that lack a first cell; if none, a row a document. */
export function listingTable(kind: Kind, query: string, documents: readonly SeenDocument[]): Table {
  const asked = regex(kind.question, 'iu').exec(query)?.groups
  const seen = documents.map(({ name, text: whole }): Texts => {
    const text = whole.replace(regex(kind.without), '')
    const own = { ...asked, query, name, stem: stemOf(name), text, head: text.slice(0, 6_000) }
    const facts = Object.entries(kind.facts).map(([fact, sources]) => [fact, readFirst(sources, own) ?? ''])
    return { ...own, ...Object.fromEntries(facts) }
  })
  const titles = seen.map(({ title = '' }) => title).join('\n')
  const readRow = (texts: Texts): Cell[] =>
    Object.values(kind.columns).map(sources => readFirst(sources, { ...texts, titles }))
  const rows = seen.flatMap(texts => findRows(kind, texts).map(readRow)).filter(([first]) => first !== null)
  return { columns: Object.keys(kind.columns), rows: rows.length > 0 ? rows : seen.map(readRow) }
}

/** The texts of each row: those of the first section, and of the first pattern in it, that finds some. */
function findRows({ finders }: Kind, texts: Texts): Texts[] {
  const { text = '' } = texts
  for (const { section: start, end, rows, held } of finders) {
    for (const { index } of text.matchAll(regex(start, 'gmu', texts))) {
      const length = text.slice(index + 1).search(regex(end, 'gmu', texts))
      const section = text.slice(index, length < 0 ? undefined : index + 1 + length)
      const found = rows.map(row =>
        rowsIn(regex(`(?<row>${row})|${held}`, 'gmu', texts), { ...texts, section }),
      )
      const some = found.find(one => one.length > 0)
      if (some !== undefined) return some
    }
  }
  return finders.length === 0 ? [texts] : []
}

/** What `held` finds holds on for the rows below it. */
function rowsIn(pattern: RegExp, texts: Texts): Texts[] {
  let holding = texts
  return [...(texts.section ?? '').matchAll(pattern)].flatMap(({ groups = {} }) => {
    const own = Object.fromEntries(Object.entries(groups).filter(([, text]) => text !== undefined))
    if (own.row === undefined) holding = { ...holding, ...own }
    return own.row === undefined ? [] : [{ ...holding, ...own }]
  })
}

const readFirst = (sources: readonly Source[], texts: Texts): Cell =>
  sources.reduce<Cell>((value, source) => value ?? readSource(source, texts), null)

/** What a source gives; `about` in labels.json says what the ways are. */
function readSource([where, way, said]: Source, texts: Texts): Cell {
  const [text, pattern] = [texts[where] ?? '', regex(said, 'gmu', texts)]
  if (way === 'whole') return tidy(text)
  if (way === 'under') return cellUnder(pattern, text, texts.row)
  if (way === 'cited') return titleIn(text, texts)
  const articles = Object.entries(labels.articles)
  const implied = articles.flatMap(([article, is]) => (regex(is).test(text) ? [`${said}第${article}条`] : []))
  if (way === 'implied') return listed(implied)
  const found = [...text.matchAll(pattern)].map(match => match[1] ?? match[0])
  if (way === 'articles') return listed(found.flatMap(articlesIn))
  if (way === 'list' && found.length > 1) return listed(found)
  const one = tidy(way === 'last' ? found.at(-1) : found[0])
  if (way === 'later') return yearsLater(texts.signed, labels.numbers[one?.toLowerCase() ?? ''])
  return way === 'date' && one !== null ? new Date(`${one} UTC`).toISOString().slice(0, 10) : one
}

/** The cell of a row below the head that the pattern finds in the table's first line. */
function cellUnder(pattern: RegExp, table: string, row = ''): Cell {
  const heads = table.split('\n', 1)[0]?.split('\t') ?? []
  return tidy(row.split('\t')[heads.findIndex(head => head.search(pattern) >= 0)])
}

/** The other title that stands in a text. */
function titleIn(text: string, { title, titles = '' }: Texts): Cell {
  const bare = (value: string): string => value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const others = titles.split('\n').filter(other => other !== '' && other !== title)
  return others.find(other => bare(text).includes(bare(other))) ?? null
}

/** `《刑法》第二十七条、第六十四条` are 《刑法》第27条 and 《刑法》第64条. */
function articlesIn(cited: string): string[] {
  const digits = (text = ''): string => (/^\d/.test(text) ? text : String(readChineseNumeral(text)))
  const law = cited.slice(0, cited.indexOf('》') + 1)
  const numbers = [...cited.matchAll(/第([^第条]+)(条(?:之[一二三])?)/g)]
  return numbers.map(([, number, rest]) => `${law}第${digits(number)}${rest}`)
}

const yearsLater = (date = '', years?: number): Cell =>
  date === '' || years === undefined ? null : `${Number(date.slice(0, 4)) + years}${date.slice(4)}`
const listed = (values: readonly string[]): Cell =>
  values.length === 0 ? null : JSON.stringify([...new Set(values)]).replaceAll('","', '", "')
const tidy = (text = ''): Cell => text.replace(/\s+/g, ' ').match(/[^ ,;](?:.*[^ ,;])?/)?.[0] ?? null
