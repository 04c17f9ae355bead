import { z } from 'zod/v4'
import { ToolError } from '../src/core/errors.ts'
import { langChainTool } from './langchain-tool.ts'
import type { ToolFactory } from './tool.ts'
import { sendSearches } from './web-search.ts'

const schema = z.object({
  queries: z
    .array(z.string().trim().min(1).max(2_000))
    .min(1)
    .max(5)
    .describe('One to five search queries, such as titles or authors. Each query counts as one search.'),
  page: z.int().min(1).max(100).nullish().describe('Page of results, starting at 1.'),
})

/** scholar_search returns papers from Google Scholar, through Serper. A sealed web searches its own documents. */
export const createScholarSearch: ToolFactory = environment =>
  langChainTool({
    name: 'scholar_search',
    description:
      'Searches for scientific papers. Returns titles, URLs, authors, years and snippets for each query. Open a result with fetch_page or read_pdf.',
    schema,
    async run({ queries, page }) {
      const { scholar = null } = environment
      if (scholar === null)
        throw new ToolError('bad-input', 'scholar_search is not available on this web. Use web_search.')
      return await sendSearches({ queries, page }, { ...environment, search: scholar })
    },
  })
