import { z } from 'zod/v4'
import { langChainTool } from './langchain-tool.ts'
import { fetchBody } from './page/body.ts'
import { answerFromPdf } from './page/document-answer.ts'
import { answerFromPage } from './page/page-answer.ts'
import type { ToolFactory } from './tool.ts'

const schema = z.object({
  url: z.string().trim().min(1).max(4_000).describe('Address of the PDF.'),
  // A single page may be a number: the tag format of coder models cannot mark it as text.
  pages: z.coerce
    .string()
    .trim()
    .max(40)
    .nullish()
    .describe(
      'A page or a range of pages, such as "3" or "3-7". Without it, reading starts at the first page.',
    ),
  find: z
    .array(z.string().trim().min(1).max(300))
    .max(20)
    .nullish()
    .describe(
      'Words to look for. The passages around them are returned, with page numbers, instead of whole pages.',
    ),
})

/** read_pdf returns pages of a PDF or passages from it. A body that is not a PDF is read as fetch_page reads it. */
export const createReadPdf: ToolFactory = environment =>
  langChainTool({
    name: 'read_pdf',
    description:
      'Reads the PDF at a URL page by page, with one line for each table row. With "find", it returns only the passages around those words.',
    schema,
    async run(input) {
      const body = await fetchBody(input.url, environment)
      if (body.type !== 'pdf') {
        return await answerFromPage(body, { part: 1, note: 'This is not a PDF.' }, environment)
      }
      const question = { pages: input.pages === '' ? null : (input.pages ?? null), find: input.find ?? [] }
      return await answerFromPdf(body, question, environment)
    },
  })
