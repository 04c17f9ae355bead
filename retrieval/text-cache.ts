import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/v4'
import type { DocumentText } from '../src/core/document.ts'
import { ifMissing } from '../src/core/if-missing.ts'
import { jsonOrNull } from '../src/core/json-or-null.ts'
import { writeWhole } from '../src/core/write-whole.ts'

const documentTextSchema = z.object({
  sha256: z.string(),
  format: z.enum(['pdf', 'html', 'markdown', 'text', 'docx', 'xlsx']),
  pages: z.array(z.object({ number: z.int(), text: z.string(), ocr: z.boolean() })),
  problem: z.string().nullable(),
  reader: z.string(),
})

/** Texts kept on disk by document hash and reader, so that several processes may use one folder at once; whole ones alone. */
export interface TextCache {
  get(sha256: string, reader: string): Promise<DocumentText | null>
  put(text: DocumentText): Promise<void>
}

/** A cache in that folder, made when first written to. A file that cannot be read as one of ours is no entry. */
export function createTextCache(folder: string): TextCache {
  const fileOf = (sha256: string, reader: string): string =>
    join(folder, sha256.slice(0, 2), `${sha256}.${reader.replace(/[^\w.-]+/g, '-')}.json`)
  return {
    async get(sha256, reader) {
      const content = await readFile(fileOf(sha256, reader), 'utf8').catch(ifMissing)
      // One cut short by a full disk or a foreign hand is none: the document is read again and the file written anew.
      const parsed = content === null ? null : documentTextSchema.safeParse(jsonOrNull(content))
      return parsed?.success && parsed.data.sha256 === sha256 && parsed.data.reader === reader
        ? { ...parsed.data, lasting: true }
        : null
    },
    async put({ lasting: _always, ...text }) {
      await writeWhole(fileOf(text.sha256, text.reader), JSON.stringify(text))
    },
  }
}
