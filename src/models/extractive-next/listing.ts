import { readChineseNumeral } from '../../core/values.ts'
import { type Listing, labels, stemOf } from './labels.ts'

/** A document as the prompt or the tools showed it; '' where nothing was shown. */
export interface SeenDocument {
  readonly name: string
  readonly text: string
}

/** What the documents do not give is null. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** Texts by the names that sources and patterns have for them. */
export type Texts = Readonly<Record<string, string>>

/** The rows that a listing finds in a document, a cell a column; `given` are further texts for its patterns. */
export function listRows(listing: Listing, { name, text }: SeenDocument, given: Texts): Table['rows'] {
  const document = (listing.replace ?? []).reduce((old, [from, to]) => old.replace(regex(from), to), text)
  const texts = { ...given, name, stem: stemOf(name), document, head: document.slice(0, 6_000) }
  const rows = findRows(listing, document, texts).map(row =>
    Object.values(listing.columns).map(sources =>
      sources.reduce<string | null>(
        (value, source) => value ?? readSource(source, { ...texts, ...row }),
        null,
      ),
    ),
  )
  return rows.filter(row => row[0] !== null)
}

function findRows(
  { section: [from, to] = ['^', '(?!)'], rows }: Listing,
  text: string,
  texts: Texts,
): Texts[] {
  if (rows === undefined) return [{}]
  for (const { index } of [...text.matchAll(regex(from, texts))].slice(-20).reverse()) {
    const end = text.slice(index + 1).search(regex(to))
    const section = text.slice(index, end < 0 ? undefined : index + 1 + end)
    for (const patterns of rows) {
      const matches = patterns.flatMap((pattern, at) =>
        [...section.matchAll(regex(pattern, texts))].map(match => ({ match, isRow: at === 0 })),
      )
      let held: Texts = {}
      const found = matches
        .sort((a, b) => a.match.index - b.match.index)
        .flatMap(({ match, isRow }) => {
          const groups = { ...held, ...match.groups }
          if (!isRow) held = groups
          return isRow ? [{ ...groups, section, row: match[0] }] : []
        })
      if (found.length > 0) return found
    }
  }
  return []
}

/**
 * A source is `where`, or `where way: pattern`: the first group, else the whole, of what matches there. Ways: `first`, `last`,
 * `list` (all, as JSON), `date`, `articles` (of law), `implied` (articles by labels.articles), `under` (the row's cell below
 * a head), `among` (the line of another text that stands there).
 */
export function readSource(source: string, texts: Texts): string | null {
  const [, where = '', way, pattern = ''] = /^(\w+)(?: (\w+): (.*))?$/.exec(source) ?? []
  const text = texts[where] ?? ''
  if (way === undefined) return tidy(text)
  if (way === 'under') return cellUnder(regex(pattern, texts), text, texts.row ?? '')
  if (way === 'implied') return listed(impliedArticles(text, pattern))
  if (way === 'among') return texts[pattern]?.split('\n').find(one => bare(text).includes(bare(one))) ?? null
  const found = [...text.matchAll(regex(pattern, texts))].map(match => match[1] ?? match[0])
  if (way === 'articles') return listed(found.flatMap(articlesIn))
  if (way === 'list') return found.length < 2 ? tidy(found[0]) : listed(found)
  const one = tidy(way === 'last' ? found.at(-1) : found[0])
  return one !== null && way === 'date' ? isoDate(one) : one
}

function listed(values: readonly string[]): string | null {
  return values.length === 0
    ? null
    : `[${[...new Set(values)].map(value => JSON.stringify(value)).join(', ')}]`
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function tidy(text: string | undefined): string | null {
  const plain = (text ?? '').replace(/\s+/g, ' ').replace(/^[\s,;]+|[\s,;]+$/g, '')
  return plain === '' ? null : plain
}

/** `September 5, 2014` is 2014-09-05. */
function isoDate(date: string): string | null {
  const [, month = '', day = '', year = ''] = /^(\w{3})\w*\s+(\d+)\s*,\s*(\d{4})$/.exec(date) ?? []
  const number = labels.months.indexOf(month.toLowerCase()) + 1
  return number === 0 ? null : `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** `《刑法》第二十七条、第六十四条` are 《刑法》第27条 and 《刑法》第64条. */
function articlesIn(cited: string): string[] {
  const law = /^《[^》]*》/.exec(cited)?.[0] ?? ''
  return [...cited.matchAll(/第([^第条]+)条(之[一二三])?/g)].map(
    ([, number = '', after = '']) =>
      `${law}第${/^\d+$/.test(number) ? number : readChineseNumeral(number)}条${after}`,
  )
}

function impliedArticles(text: string, law: string): string[] {
  const known = Object.entries(labels.articles).filter(([words]) => regex(words).test(text))
  return known.flatMap(([, numbers]) => numbers.split(' ').map(number => `${law}第${number}条`))
}

function cellUnder(head: RegExp, table: string, row: string): string | null {
  const heads =
    table
      .split('\n')
      .find(line => line.search(head) >= 0)
      ?.split('\t') ?? []
  return tidy(row.split('\t')[heads.findIndex(cell => cell.search(head) >= 0)])
}

/** A pattern in which {word} stands for the text of that name as it is, or for the pattern of that name in labels.json. */
function regex(pattern: string, texts: Texts = {}): RegExp {
  const filled = pattern.replace(/\{([a-z]+)\}/g, (_, word: string) => {
    const text = texts[word]?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
    return text ?? labels.words[word] ?? ''
  })
  return new RegExp(filled, 'gmu')
}
