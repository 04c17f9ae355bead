import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod/v4'
import type { DocumentText } from '../src/core/document.ts'
import { documentFormats } from '../src/core/document.ts'
import { replaceFileAtomically } from '../src/system/atomic-write.ts'
import { ifMissing, makeFolder } from '../src/system/files.ts'
import { jsonOrNull } from '../src/text/json.ts'

const documentTextSchema = z.object({
  sha256: z.string(),
  format: z.enum(documentFormats),
  pages: z.array(z.object({ number: z.int(), text: z.string(), ocr: z.boolean() })),
  problem: z.string().nullable(),
  notices: z.array(z.string()).optional(),
  reader: z.string(),
})

/** What a cached text depends on. The format is a part, because the same bytes may be a text or a web page by their name. */
export type TextKey = Pick<DocumentText, 'sha256' | 'format' | 'reader'>

/** Texts cached on disk by their key. Several processes may use one folder at the same time. */
export interface TextCache {
  /** Returns null when there is no valid entry. */
  get(key: TextKey): Promise<DocumentText | null>
  put(text: DocumentText): Promise<void>
}

/** Creates a cache in a folder, which is created when the first text is written. */
export function createTextCache(folder: string): TextCache {
  const fileOf = ({ sha256, format, reader }: TextKey): string =>
    join(folder, sha256.slice(0, 2), `${sha256}.${format}.${reader.replace(/[^\w.-]+/g, '-')}.json`)
  return {
    async get(key) {
      const content = await readFile(fileOf(key), 'utf8').catch(ifMissing)
      // A file that is incomplete or was changed counts as missing. The document is read and written again.
      const parsed = content === null ? null : documentTextSchema.safeParse(jsonOrNull(content))
      if (parsed?.success !== true || !hasKey(parsed.data, key)) return null
      const { notices, ...text } = parsed.data
      return { ...text, ...(notices === undefined ? {} : { notices }), lasting: true }
    },
    async put(text) {
      const file = fileOf(text)
      await makeFolder(dirname(file))
      await replaceFileAtomically(file, part => writeFile(part, partsOf(text)))
    },
  }
}

function hasKey(text: TextKey, { sha256, format, reader }: TextKey): boolean {
  return text.sha256 === sha256 && text.format === format && text.reader === reader
}

/** The length from which a part of an entry is written. */
const partLength = 256_000

/** Writes an entry as JSON in parts. The JSON of a long document would need several times the memory of its text. */
function* partsOf({ sha256, format, pages, problem, notices, reader }: DocumentText): Generator<string> {
  let part = `${JSON.stringify({ sha256, format }).slice(0, -1)},"pages":[`
  for (const [at, page] of pages.entries()) {
    part += `${at === 0 ? '' : ','}${JSON.stringify(page)}`
    if (part.length < partLength) continue
    yield part
    part = ''
  }
  yield `${part}],${JSON.stringify({ problem, notices, reader }).slice(1)}`
}
