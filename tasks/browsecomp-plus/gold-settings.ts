import { z } from 'zod/v4'

/** What the benchmark tells the scorer about a gold. */
export const browseCompGoldSchema = z.object({
  /** The data set encrypts its answers, so records do not contain the gold. */
  isEncrypted: z.boolean().default(false),
})
