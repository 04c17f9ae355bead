import { z } from 'zod/v4'

const count = z.int().min(0)

const toolCallsSchema = z.object({
  /** Calls that came to an end. Those that the budget refused are not made; reading on in a fetched page is no fetch. */
  calls: count,
  /** Failed ones by error class, such as `timeout`; classes without any are absent. */
  failed: z.record(z.string(), count),
})

/** How an attempt's searches and fetches went. */
export const toolFailuresSchema = z.object({ search: toolCallsSchema, fetch: toolCallsSchema })
export type ToolFailures = z.infer<typeof toolFailuresSchema>

/** What a tool does on the web. */
export type ToolKind = keyof ToolFailures
