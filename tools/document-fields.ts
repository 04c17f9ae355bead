import { z } from 'zod/v4'

/** The terms that fetch_page and read_pdf look for in a document. */
export const findField = z.array(z.string().trim().min(1).max(300)).max(20).nullish()

/** What an agent wants to know from a document (`--goal-reading`). */
export const goalField = z
  .string()
  .trim()
  .max(1_000)
  .nullish()
  .describe(
    'What you want to know from this document. A reader returns what the text says about it, with quotes, instead of the text.',
  )
