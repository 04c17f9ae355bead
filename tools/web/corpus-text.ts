import { joinToOneLine } from '../../src/text/plain-text.ts'
import { withoutExtension } from './corpus-places.ts'

const boilerplate =
  /^(united states|securities and exchange commission|u\.?s\.? securities|washington|table of contents|contents|form\b.{0,12}$|\(?mark one\)?|or$|ex-\d|exhibit\b|execution version|page \d|commission file|\d+ of \d+|目\s*录|https?:|transition report|for the transition)/i
const printHeader = /^\d{1,2}\/\d{1,2}\/\d{2,4},\s*\d{1,2}:\d\d(?:\s*[AP]M)?\s*/
const period =
  /(?:quarterly|annual|fiscal|year|months?|period) (?:period |year )?ended .{4,40}|dated as of .{4,40}|20\d\d\s?年(?:年度|半年度|第[一三]季度)?报告/i
const organisation = /\b(?:inc|corp|corporation|company|llc|ltd|plc)\b\.?|有限公司|集团/i

/**
 * Returns a title like that of a search engine, made from the document's own words. It uses its first
 * informative lines, and the organisation and period they name. Null when no line is suitable.
 */
export function findTitle(text: string): string | null {
  const lines = listInformativeLines(text)
  const start = lines.findIndex(line => !boilerplate.test(line) && !/\w\.\w+\/\S/.test(line))
  if (start < 0) return null
  const parts = [findFirstSentence(lines, start)]
  const add = (line: string | undefined) => {
    if (line !== undefined && !parts.join(' ').toLowerCase().includes(line.toLowerCase())) parts.push(line)
  }
  add(lines.find(line => period.test(line))?.match(period)?.[0])
  const names = (line: string) => organisation.exec(line)?.index ?? 0
  const owner = lines.find(line => names(line) > 1 && line.length < 70 && !boilerplate.test(line))
  add(owner?.replace(/\(.*$/, '').trim())
  const tidy = parts.reverse().map(part => part.replace(/[\s,;:]+$/, ''))
  return cutPassage(tidy.join(' – '), 140)
}

const linesRead = 40

function listInformativeLines(text: string): string[] {
  const lines: string[] = []
  for (const raw of text.slice(0, 6_000).split('\n')) {
    const line = raw
      .replace(/\s+/g, ' ')
      .replace(printHeader, '')
      .replace(/^[^\p{L}\p{N}$(#]+|^#+ /gu, '')
      .trim()
    const letters = line.replace(/[^\p{L}]+/gu, '').length
    if (letters >= Math.max(3, line.length * 0.4)) lines.push(line)
    if (lines.length === linesRead) break
  }
  return lines
}

// A title continues on the next line when its line ends with a short word or when the next line is also short.
function findFirstSentence(lines: readonly string[], start: number): string {
  const first = lines[start] ?? ''
  const next = lines[start + 1]
  const open = /(?:\b(?:a|an|the|of|for|with|and|in|among|to)|[,:])$/i.test(first)
  return cutPassage(open && next !== undefined && !boilerplate.test(next) ? `${first} ${next}` : first, 110)
}

/** Returns the title of a document without text: the words of its file name. */
export function makeTitle(name: string): string {
  return withoutExtension(name)
}

/** Returns the words of a file name, as a search engine indexes them from addresses and link texts. */
export function nameWords(name: string): string {
  const stem = withoutExtension(name)
  return `${stem.replace(/[_\-.]+/g, ' ')} ${stem}`
}

/** Returns the first lines of a text, for a result without a passage. */
export function joinFirstLines(text: string): string {
  return cutPassage(joinToOneLine(text.slice(0, 2_000)), 200)
}

/** The beginning of a text, prepared for finding passages. */
export interface Lead {
  readonly text: string
  readonly lower: string
}

const hitsAWord = 30
const passageWindow = 200

/** Returns the passage with most of the query's words, about 220 characters long. */
export function findPassage(lead: Lead, query: string): string {
  const words = new Set(
    (query.toLowerCase().match(/[\p{Script=Han}]{1,2}|[\p{L}\p{N}]{2,}/gu) ?? []).slice(0, 16),
  )
  const hits = [...words].flatMap(word => listPositions(lead.lower, word).map(at => ({ at, word })))
  hits.sort((a, b) => a.at - b.at)
  const best = findWindowStart(hits)
  if (best === null) return joinFirstLines(lead.text)
  const from = best < 40 ? 0 : Math.max(best - 30, lead.text.lastIndexOf(' ', best - 20))
  const passage = joinToOneLine(lead.text.slice(from, from + 240))
  return `${from > 0 ? '… ' : ''}${cutPassage(passage, 220)}`
}

/**
 * Returns where the first window with most of the words begins; null when there are no hits. The window slides, so
 * that every hit enters and leaves it once.
 */
function findWindowStart(hits: readonly { readonly at: number; readonly word: string }[]): number | null {
  const near = new Map<string, number>()
  let best: number | null = null
  let most = 0
  let end = 0
  for (const hit of hits) {
    for (; end < hits.length && hits[end]!.at < hit.at + passageWindow; end++) {
      const { word } = hits[end]!
      near.set(word, (near.get(word) ?? 0) + 1)
    }
    if (near.size > most) {
      most = near.size
      best = hit.at
    }
    const left = near.get(hit.word)! - 1
    if (left === 0) near.delete(hit.word)
    else near.set(hit.word, left)
  }
  return best
}

function listPositions(text: string, word: string): number[] {
  const places: number[] = []
  const latin = /^[a-z0-9]/.test(word)
  for (let at = text.indexOf(word); at >= 0 && places.length < hitsAWord; at = text.indexOf(word, at + 1)) {
    if (!latin || !/[a-z0-9]/.test(text[at - 1] ?? ' ')) places.push(at)
  }
  return places
}

/** Returns whether a text contains the file name, with or without its extension, whatever separates its words. */
export function containsFileName(text: string, name: string): boolean {
  const plain = (value: string) =>
    value
      .toLowerCase()
      .replace(/%20|[\s_\-.]+/g, ' ')
      .trim()
  const stem = plain(withoutExtension(name))
  return stem.length >= 3 && plain(text).includes(stem)
}

function cutPassage(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars - 1).trimEnd()}…`
}
