import { z } from 'zod/v4'
import { answerForGoal } from './goal-reading.ts'
import { langChainTool } from './langchain-tool.ts'
import { answerFromPdf } from './page/document-answer.ts'
import { fetchBody } from './page/fetch-body.ts'
import { answerFromPage } from './page/page-answer.ts'
import type { ToolArtifact, ToolEnvironment, ToolFactory } from './tool.ts'

/** The terms that fetch_page and read_pdf look for in a document. */
const findField = z.array(z.string().trim().min(1).max(300)).max(20).nullish()

/** What an agent wants to know from a document (`--goal-reading`). */
const goalField = z
  .string()
  .trim()
  .max(1_000)
  .nullish()
  .describe(
    'What you want to know from this document. A reader returns what the text says about it, with quotes, instead of the text.',
  )

const schema = z.object({
  url: z.string().trim().min(1).max(4_000).describe('Address of the page, with http:// or https://.'),
  part: z.int().min(1).max(10_000).nullish().describe('Which part of a long page to return, starting at 1.'),
  view: z
    .enum(['main', 'all'])
    .nullish()
    .describe('"main", the default: the main text. "all": everything on the page, with menus and footers.'),
  find: findField.describe(
    'Words to look for. The passages around them are returned instead of whole parts.',
  ),
})

const schemaWithGoal = schema.extend({ goal: goalField })
type Input = z.output<typeof schemaWithGoal>

/**
 * fetch_page returns the main text of a page as Markdown, or the passages around words in it. It returns a PDF as
 * read_pdf does, and docx, xlsx and plain text as text.
 */
export const createFetchPage: ToolFactory = environment =>
  langChainTool({
    name: 'fetch_page',
    description:
      'Opens a web page and returns its main text as Markdown, with tables as rows and numbered links. Long pages are returned in parts. With "find", it returns only the passages around those words.',
    schema: environment.goalReader === undefined ? schema : schemaWithGoal,
    run: async (input: Input) =>
      await answerForGoal(input, environment, async () => await answerCall(input, environment)),
  })

async function answerCall(input: Input, environment: ToolEnvironment): Promise<[string, ToolArtifact]> {
  const body = await fetchBody(input.url, environment)
  const [part, find] = [input.part ?? null, input.find ?? []]
  if (body.type !== 'pdf')
    return await answerFromPage(body, { part, find, view: input.view ?? 'main', note: null }, environment)
  const startsFirst = part === null || (part === 1 && find.length === 0)
  return await answerFromPdf(body, { pages: startsFirst ? null : { part }, find }, environment)
}

const pdfSchema = z.object({
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

const pdfSchemaWithGoal = pdfSchema.extend({ goal: goalField })
type PdfInput = z.output<typeof pdfSchemaWithGoal>

/** read_pdf returns pages of a PDF or passages from it. A body that is not a PDF is read as fetch_page reads it. */
export const createReadPdf: ToolFactory = environment =>
  langChainTool({
    name: 'read_pdf',
    description:
      'Reads the PDF at a URL page by page, with one line for each table row. With "find", it returns only the passages around those words.',
    schema: environment.goalReader === undefined ? pdfSchema : pdfSchemaWithGoal,
    run: async (input: PdfInput) =>
      await answerForGoal(input, environment, async () => await answerPdfCall(input, environment)),
  })

async function answerPdfCall(input: PdfInput, environment: ToolEnvironment): Promise<[string, ToolArtifact]> {
  const body = await fetchBody(input.url, environment)
  const pages = input.pages === '' ? null : (input.pages ?? null)
  const find = input.find ?? []
  if (body.type === 'pdf') return await answerFromPdf(body, { pages, find }, environment)
  const ignored = pages === null ? '' : ' Ignored argument: pages. Call fetch_page with part.'
  const note = `This is not a PDF.${ignored}`
  return await answerFromPage(body, { part: null, find, note }, environment)
}
