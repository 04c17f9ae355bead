import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { DataError } from '../../core/errors.ts'
import { ifMissing } from '../../system/files.ts'

const correlation = z.number().nullable()
const stabilitySchema = z.array(
  z.object({
    profile: z.string(),
    judge: z.string(),
    repeats: z.int(),
    measures: z.array(
      z.object({ measure: z.string(), n: z.int(), pearson: correlation, spearman: correlation }),
    ),
    judgedCells: z.int(),
    flippedCells: z.int(),
    flippedShare: z.number().nullable(),
  }),
)

/** How stable the scores of one scorer and judge were when a run was scored several times. */
export type ScoringStability = z.infer<typeof stabilitySchema>[number]

const pathIn = (folder: string): string => join(folder, 'stability.json')

/** What repeated scorings of a run have shown; nothing where there were none. */
export async function readStability(folder: string): Promise<ScoringStability[]> {
  const path = pathIn(folder)
  const text = await readFile(path, 'utf8').catch(ifMissing)
  if (text === null) return []
  try {
    return stabilitySchema.parse(JSON.parse(text))
  } catch (error) {
    throw new DataError(`${path}: not what score --repeat writes: delete it, or score again`, {
      cause: error,
    })
  }
}

/** Keeps what was found, in place of earlier findings of the same scorer and judge. */
export async function keepStability(folder: string, found: readonly ScoringStability[]): Promise<void> {
  const isNew = (one: ScoringStability): boolean =>
    found.some(other => other.profile === one.profile && other.judge === one.judge)
  const kept = (await readStability(folder)).filter(one => !isNew(one))
  await writeFile(pathIn(folder), `${JSON.stringify([...kept, ...found], null, 2)}\n`)
}
