import { z } from 'zod/v4'

/** The terms that fetch_page and read_pdf look for in a document. */
export const findField = z.array(z.string().trim().min(1).max(300)).max(20).nullish()
