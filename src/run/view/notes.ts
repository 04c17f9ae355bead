import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { DataError } from '../../core/errors.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import type { RunNotes } from '../../report/page/served-data.ts'
import { writeFileDurably } from '../../system/atomic-write.ts'
import { ifMissing } from '../../system/files.ts'
import { parseJsonOrNull } from '../../text/json.ts'

/** The content of notes.json: what a person wrote about a run. */
export const notesSchema = z.object({
  /** A free text. */
  note: z.string().max(10_000),
  /** Words to find the run by. */
  tags: z.array(z.string().trim().min(1).max(60)).max(20),
})

const nameNotesFile = (folder: string): string => join(folder, 'notes.json')

/**
 * Reads the notes of a run. A run without the file has none.
 *
 * @throws DataError [invalid-notes]
 */
export async function readNotes(folder: string): Promise<RunNotes> {
  const text = await readFile(nameNotesFile(folder), 'utf8').catch(ifMissing)
  if (text === null) return { note: '', tags: [] }
  const notes = notesSchema.safeParse(parseJsonOrNull(text))
  if (notes.success) return notes.data
  throw new DataError(
    `${nameNotesFile(folder)}: ${describeZodProblem(notes.error, 'the file')}. Correct or delete the file.`,
    { code: 'invalid-notes' },
  )
}

/** Replaces the notes of a run. */
export async function writeNotes(folder: string, { note, tags }: RunNotes): Promise<void> {
  const content = { note, tags: [...new Set(tags)] }
  await writeFileDurably(nameNotesFile(folder), `${JSON.stringify(content, null, 2)}\n`)
}
