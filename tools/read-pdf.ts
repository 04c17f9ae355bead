import { z } from 'zod/v4'
import { findField, goalField } from './fetch-page.ts'
import { answerForGoal } from './goal-reading.ts'
import { langChainTool } from './langchain-tool.ts'
import { answerFromPdf } from './page/document-answer.ts'
import { fetchBody } from './page/fetch-body.ts'
import { answerFromPage } from './page/page-answer.ts'
import type { ToolArtifact, ToolEnvironment, ToolFactory } from './tool.ts'

const schema = z.object({
  url: z.string().trim().min(1).max(4_000).describe('Address of the PDF.'),
  pages: z
    .string()
    .trim()
    .max(40)
    .nullish()
    .describe(
      'A page or a range of pages, such as "3" or "3-7". Without it, reading starts at the first page.',
    ),
  find: findField.describe(
    'Words to look for. The passages around them are returned, with page numbers, instead of whole pages.',
  ),
})

const schemaWithGoal = schema.extend({ goal: goalField })
type Input = z.output<typeof schemaWithGoal>

/** read_pdf returns pages of a PDF or passages from it. A body that is not a PDF is read as fetch_page reads it. */
export const createReadPdf: ToolFactory = environment =>
  langChainTool({
    name: 'read_pdf',
    description:
      'Reads the PDF at a URL page by page, with one line for each table row. With "find", it returns only the passages around those words.',
    schema: environment.goalReader === undefined ? schema : schemaWithGoal,
    run: async (input: Input) =>
      await answerForGoal(input, environment, async () => await answerCall(input, environment)),
  })

async function answerCall(input: Input, environment: ToolEnvironment): Promise<[string, ToolArtifact]> {
  const body = await fetchBody(input.url, environment)
  const pages = input.pages === '' ? null : (input.pages ?? null)
  const find = input.find ?? []
  if (body.type === 'pdf') return await answerFromPdf(body, { pages, find }, environment)
  const ignored = pages === null ? '' : ' Ignored argument: pages. Call fetch_page with part.'
  const note = `This is not a PDF.${ignored}`
  return await answerFromPage(body, { part: null, find, note }, environment)
}
