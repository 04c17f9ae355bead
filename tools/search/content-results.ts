import { z } from 'zod/v4'
import type { SearchHit } from './provider.ts'
import { shownText, text, tolerantList } from './service-list.ts'

/** A list of results for services that call a snippet `content`. */
export const contentResults = tolerantList(
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
export function contentHits(results: z.infer<typeof contentResults>): SearchHit[] {
  return results.map((hit, index) => ({
    url: hit.url ?? '',
    title: hit.title,
    snippet: hit.content,
    position: index + 1,
    date: hit.publishedDate ?? hit.published_date ?? null,
  }))
}
