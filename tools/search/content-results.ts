import { z } from 'zod/v4'
import type { SearchHit } from './provider.ts'
import { tolerantList } from './service-answer.ts'

const text = z.string().nullish().catch(null)

/** A list of results for services that call a snippet `content`. */
export const contentResults = tolerantList(z.looseObject({ url: text, title: text, content: text }))

/** Converts such results to hits, numbered in order. */
export function contentHits(results: z.infer<typeof contentResults>): SearchHit[] {
  return results.map((hit, index) => ({
    url: hit.url ?? '',
    title: hit.title ?? '',
    snippet: hit.content ?? '',
    position: index + 1,
  }))
}
