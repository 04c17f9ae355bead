import type { Asked, SeenDocument } from './asked.ts'
import type { Table } from './table.ts'

/** Papers: their references, their authors, or the results in their tables, as the question asks. */
export function papersTable(asked: Asked, documents: readonly SeenDocument[]): Table {
  if (/citation relationship|cited article|引用关系/i.test(asked.query)) return citationsTable(documents)
  if (/cited|reference list|references|bibliograph|参考文献/i.test(asked.query))
    return referencesTable(documents)
  if (/author|affiliation|作者/i.test(asked.query)) return authorsTable(documents)
  return resultsTable(asked, documents)
}

function linesOf(text: string): string[] {
  return text
    .replace(/[‐‑]/g, '-')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}

/** The first telling lines, up to the authors. */
function readTitle(lines: readonly string[]): string {
  const start = lines.findIndex(
    line => /\p{L}{3}/u.test(line) && !/^\W*\d|\bet al|arxiv|proceedings|\d{4}\b|journal of/i.test(line),
  )
  const title = [lines[start] ?? '']
  for (const line of lines.slice(start + 1, start + 3)) {
    const open = /(?:[:,-]|\b(?:a|an|the|of|for|with|and|in|on|to|via|from|by|using))$/i.test(title.at(-1)!)
    if (
      !open &&
      (splitAuthors([line]).length > 0 || !/\p{L}{2}/u.test(line) || /abstract|@|\d{4}/i.test(line))
    )
      break
    title.push(line)
  }
  return title.join(' ')
}

function authorsTable(documents: readonly SeenDocument[]): Table {
  const rows = documents.flatMap(({ name, text }) => {
    const lines = linesOf(text.slice(0, 6_000))
    const title = readTitle(lines)
    return readAuthors(lines, title).map(([author, affiliation]) => [name, author, affiliation, title])
  })
  return { columns: ['Filename', 'Author', 'Affiliation', 'Paper title'], rows }
}

const mark = /[\d∗*†‡§¶♯#⋆]/g

/** The block between title and abstract: names with their marks, then the places that the marks stand for. */
function readAuthors(lines: readonly string[], title: string): [string, string | null][] {
  const from = lines.findIndex(line => title.endsWith(line)) + 1
  const abstract = lines
    .slice(from)
    .findIndex(line => /^(?:\d\.?\s*)?(?:abstract|summary|introduction|keywords)\b/i.test(line))
  const block = lines.slice(from, from + (abstract < 0 ? 8 : Math.min(abstract, 14)))
  const place =
    /universit|institut|laborator|\blabs?\b|research|department|school|college|centre|center|corporation|company|\binc\b|academy|\bcsic\b|大学|学院|研究/i
  const found = block.findIndex(
    line => place.test(line) || (/^\d\s*\p{Lu}/u.test(line) && !/,.*,/.test(line)),
  )
  // A superscript may stand on a line of its own, above the place that it marks.
  const firstPlace = found > 0 && /^\d$/.test(block[found - 1]!) ? found - 1 : found
  const nameLines = block
    .slice(0, firstPlace < 0 ? 2 : firstPlace)
    .filter(line => /\p{L}{2}/u.test(line) && !line.includes('@'))
  const placeLines = firstPlace < 0 ? [] : block.slice(firstPlace).filter(line => !line.includes('@'))
  const places = readPlaces(placeLines)
  return splitAuthors(nameLines).map(({ author, marks }) => {
    const own = marks.map(one => places.get(one)).filter(found => found !== undefined)
    return [
      author,
      own.length > 0 ? own.join(' / ') : (places.get('') ?? places.values().next().value ?? null),
    ]
  })
}

function splitAuthors(lines: readonly string[]): { author: string; marks: string[] }[] {
  const joined = lines
    .join(', ')
    .replace(/(\d)\s*,\s*(?=\d)/g, '$1 ')
    .replace(/\t/g, ' ')
    .replace(/,?\s+(?:and|&)\s+/g, ', ')
  return joined.split(/\s*,\s*|\s{2,}/).flatMap(part => {
    const author = part.replace(mark, ' ').replace(/\s+/g, ' ').trim()
    const marks = part.match(/\d/g) ?? []
    return /^\p{Lu}[\p{L}.'-]*(?:\s+(?:(?:van|von|der|den|de|la|le|du|dos|da|bin|al|del)\s+)*\p{Lu}[\p{L}.'-]*){1,4}$/u.test(
      author,
    ) && author.length < 45
      ? [{ author, marks }]
      : []
  })
}

/** `1 Colfax Research 2 Meta` by mark; without marks the first place is everybody's. */
function readPlaces(lines: readonly string[]): Map<string, string> {
  const places = new Map<string, string>()
  const text = lines.join('\t').replace(/\s+(?=\d\s*\p{Lu})/gu, '\t')
  const parts = text.split(/(?:^|\t|(?<=\p{L}))\s*(\d)\s*(?:\t\s*)?(?=\p{Lu})/u)
  for (let index = 1; index + 1 < parts.length; index += 2) {
    const place = parts[index + 1]!.split('\t')[0]!.replace(/,\s*$/, '').trim()
    if (!places.has(parts[index]!)) places.set(parts[index]!, place)
  }
  if (places.size === 0 && lines[0] !== undefined) places.set('', lines[0].split(',')[0]!.trim())
  return places
}

function referencesTable(documents: readonly SeenDocument[]): Table {
  const rows = documents.flatMap(({ text }) => {
    const title = readTitle(linesOf(text.slice(0, 6_000)))
    return readReferences(text).map(reference => [title, reference, yearOf(reference)])
  })
  return { columns: ['Referencing paper title', 'Cited work', 'Year'], rows }
}

function yearOf(reference: string): string | null {
  const inBrackets = /\(((?:19|20)\d\d)[a-z]?\)/.exec(reference)?.[1]
  const plain = reference.replace(
    /https?:\S+|arxiv:?\s*[\d.v]+|abs\/\S+|doi:?\s*\S+|\d+[–-]\d+|ISBN\s+\S+/gi,
    ' ',
  )
  return inBrackets ?? plain.match(/(?<![\d.])(?:19|20)\d\d(?![\d])/g)?.at(-1) ?? null
}

/** The entries of the reference list: numbered ones by their numbers, others where a line begins with a name. */
export function readReferences(text: string): string[] {
  const lines = linesOf(text)
  const start = lines.findLastIndex(line =>
    /^(?:\d+\.?\s*)?(?:references|bibliography|参考文献)\s*:?$/i.test(line),
  )
  if (start < 0) return []
  const runningHead = linesOf(text)[0]?.replace(/\d+/g, '').trim() ?? ''
  const entries: string[] = []
  const rest = lines.slice(start + 1)
  const number = /^(?:\[\d+\]|\d{1,3}\.(?=\s|\[))\s*/
  const numbered = rest.slice(0, 12).filter(line => number.test(line)).length > 1
  for (const line of rest) {
    if (
      /^(?:appendix|[A-Z]\.?\s+(?:[A-Z][a-z]+\s*){1,6}$|acknowledge|supplementary)/i.test(line) &&
      !/\d{4}/.test(line) &&
      entries.length > 3
    )
      break
    if (/^\d+$/.test(line) || (runningHead.length > 8 && line.replace(/\d+/g, '').trim() === runningHead))
      continue
    const starts = numbered
      ? number.test(line)
      : /^\p{Lu}[\p{L}'‐ -]+,\s+\p{Lu}\./u.test(line) && /(?:\.|\d|\))$/.test(entries.at(-1) ?? '.')
    if (starts) entries.push(line.replace(number, '').replace(/^\[\w+\]\s*/, ''))
    else if (entries.length > 0) entries[entries.length - 1] = joined(entries.at(-1)!, line)
  }
  return entries.map(entry => entry.replace(/\s+/g, ' '))
}

function joined(before: string, line: string): string {
  return /\p{Ll}[-‐]$/u.test(before) ? before.slice(0, -1) + line : `${before} ${line}`
}

/** Which of the papers cites which: the sentence that cites, by the number in the citing paper's list. */
function citationsTable(documents: readonly SeenDocument[]): Table {
  const titled = documents.map(({ text }) => ({ text, title: readTitle(linesOf(text.slice(0, 6_000))) }))
  const bare = (value: string): string => value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const rows = titled.flatMap(({ text, title }) =>
    readReferences(text).flatMap((reference, index) => {
      const cited = titled.find(other => other.title !== title && bare(reference).includes(bare(other.title)))
      if (cited === undefined) return []
      const end = text.search(/^(?:references|bibliography)\s*$/im)
      const body = linesOf(text.slice(0, end))
        .filter(line => !/\t|^\d+(?:\.\d+)*\.?\s+\p{Lu}[\p{L} ]{2,50}$/u.test(line))
        .join(' ')
      const sentences = body.match(/[^.]+(?:\.\d[^.]*)*\[[^\]]*\d[^\]]*\][^.]*(?:\.\d[^.]*)*\./g) ?? []
      const marker = new RegExp(`\\s*\\[(?:[^\\]]*\\D)?${index + 1}(?:\\D[^\\]]*)?\\]`)
      const citing = sentences.find(sentence => marker.test(sentence))
      const content =
        citing
          ?.replace(/\s*\[[\d, -]+\]/g, '')
          .replace(/\.$/, '')
          .trim() ?? null
      return [[cited.title, title, content, content === null ? null : labelOf(content)]]
    }),
  )
  return { columns: ['Cited paper title', 'Referencing paper title', 'Referenced content', 'Label'], rows }
}

function labelOf(sentence: string): string {
  if (/\b(?:compared|outperform|below|above|accuracy of|score|gains?|better|worse|result)/i.test(sentence))
    return 'result'
  return /\b(?:we|our)\b.*\b(?:follow|use|adopt|build|employ|train|apply|extend|evaluate)/i.test(sentence)
    ? 'methodology'
    : 'background'
}

/** The papers' own methods in the first table with a column of the asked benchmark. */
function resultsTable(asked: Asked, documents: readonly SeenDocument[]): Table {
  const words = asked.query.match(/\b[A-Z][\w+-]*(?:-\d+|\d+|[A-Z]\w*)\b/g) ?? []
  const rows = documents.flatMap(({ text }) => {
    const lines = linesOf(text)
    const title = readTitle(lines)
    const names = (cell: string): boolean =>
      words.some(word => cell.startsWith(word)) && !/validation|\bdev\b/i.test(cell)
    const header = lines.findIndex(line => line.split('\t').slice(1).some(names))
    if (header < 0) return []
    const column = lines[header]!.split('\t').findIndex((cell, index) => index > 0 && names(cell))
    const table = lines.slice(header + 1).map(line => line.split('\t'))
    const end = table.findIndex(row => row.length <= column)
    const results = table.slice(0, end < 0 ? undefined : end)
    const own = results.filter(row => /\(ours?\)|\bour\b/i.test(row[0]!))
    return (own.length > 0 ? own : results).map(row => [
      title,
      row[0]!.replace(/\s*\((?:ours?)\)|\s*\[\d+\]/gi, ''),
      row[column]!.replace(/\s*%$/, ''),
    ])
  })
  return { columns: ['paper_name', 'method', 'result'], rows }
}
