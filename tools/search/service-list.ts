import { Parser } from 'htmlparser2'
import { z } from 'zod/v4'
import type { SearchHit } from './provider.ts'

/** A text of an answer; null when it is missing or something else. */
export const text = z.string().nullish().catch(null)

/** A title or a snippet, without the markup and the entities of HTML that services leave in it. */
export const shownText = text.transform(value => removeTags(value ?? ''))

/**
 * The schema of a list that must be there. Invalid items are dropped, so that one invalid hit does not lose the others. A
 * list of invalid items only is an error.
 */
export function tolerantList<T extends z.ZodType>(item: T) {
  return z.array(z.unknown()).transform((items, context) => {
    const valid = items.flatMap(raw => {
      const parsed = item.safeParse(raw)
      return parsed.success ? [parsed.data as z.output<T>] : []
    })
    if (valid.length === 0 && items.length > 0)
      context.addIssue({ code: 'custom', message: 'none of the results can be read' })
    return valid
  })
}

/** Members in which services send the address of a hit. The first that is a text counts. */
const addressMembers = ['link', 'url', 'href', 'pdfUrl'] as const

/** Returns the address of a hit; an empty text when it has none. */
export function readAddress(hit: Readonly<Record<string, unknown>>): string {
  const address = addressMembers.map(name => hit[name]).find(value => typeof value === 'string')
  return typeof address === 'string' ? address : ''
}

/** The schema of a list of hits. A list in which no hit has an address is an error, and not a search without results. */
export function hitList<T extends z.ZodType<Record<string, unknown>>>(hit: T) {
  return tolerantList(hit).refine(
    hits => hits.length === 0 || hits.some(item => readAddress(item) !== ''),
    'no result has an address',
  )
}

/** The schema of such a list that a service leaves out, or sends as null, when it is empty. */
export function optionalList<T>(list: z.ZodType<readonly T[]>) {
  return list.nullish().transform(items => items ?? [])
}

const markup = /<\/?(?:strong|b|em|i|u|mark|span|br|wbr)\b[^<>]{0,200}>/gi
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi

/** Removes the tags that mark words and decodes entities once. Other angle brackets are part of the text. */
function removeTags(html: string): string {
  return html.replace(markup, '').replace(entity, decodeEntity)
}

function decodeEntity(name: string): string {
  let decoded = ''
  const parser = new Parser({ ontext: part => void (decoded += part) }, { decodeEntities: true })
  parser.end(name)
  return decoded
}

/** A list of results for services that call a snippet `content`. */
export const contentResults = hitList(
  // SearXNG and Tavily spell the name of the date differently.
  z.looseObject({
    url: text,
    title: shownText,
    content: shownText,
    publishedDate: text,
    published_date: text,
  }),
)

/** Converts such results to hits, numbered in order. */
export function listContentHits(results: z.infer<typeof contentResults>): SearchHit[] {
  return results.map((hit, index) => ({
    url: readAddress(hit),
    title: hit.title,
    snippet: hit.content,
    position: index + 1,
    date: hit.publishedDate ?? hit.published_date ?? null,
  }))
}
