import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { DataError } from '../../core/errors.ts'
import { writeOutput } from '../../system/atomic-write.ts'
import { ifMissing } from '../../system/files.ts'

const correlation = z.number().nullable()
const stabilitySchema = z.array(
  z.object({
    scorer: z.string(),
    judge: z.string(),
    repeats: z.int(),
    measures: z.array(
      z.object({ measure: z.string(), n: z.int(), pearson: correlation, spearman: correlation }),
    ),
    judgedCells: z.int(),
    flippedCells: z.int(),
    flippedShare: z.number().nullable(),
    /** The metrics of each attempt by repeat; null where a repeat did not score it. Absent in older files. */
    scores: z
      .array(
        z.object({
          attemptId: z.string(),
          repeats: z.array(z.record(z.string(), z.number().nullable()).nullable()),
        }),
      )
      .optional(),
  }),
)

/** How stable the scores of a scorer and a judge were when a run was scored several times. */
export type ScoringStability = z.infer<typeof stabilitySchema>[number]

const nameFile = (folder: string): string => join(folder, 'stability.json')

/**
 * Reads the results of repeated scorings of a run; empty without any.
 *
 * @throws DataError [invalid-stability]
 */
export async function readStability(folder: string): Promise<ScoringStability[]> {
  const path = nameFile(folder)
  const text = await readFile(path, 'utf8').catch(ifMissing)
  if (text === null) return []
  try {
    return stabilitySchema.parse(JSON.parse(text))
  } catch (error) {
    throw new DataError(`${path}: score --repeat did not write this. Delete the file, or score again.`, {
      code: 'invalid-stability',
      cause: error,
    })
  }
}

/** Stores results. They replace earlier ones of the same scorer and judge. */
export async function writeStability(
  folder: string,
  stabilities: readonly ScoringStability[],
): Promise<void> {
  const isNew = (stability: ScoringStability): boolean =>
    stabilities.some(
      replacement => replacement.scorer === stability.scorer && replacement.judge === stability.judge,
    )
  const remaining = (await readStability(folder)).filter(stability => !isNew(stability))
  await writeOutput(nameFile(folder), `${JSON.stringify([...remaining, ...stabilities], null, 2)}\n`)
}
