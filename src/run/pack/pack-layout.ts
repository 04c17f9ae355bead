import { z } from 'zod/v4'
import { isInnerPath } from '../../core/inner-path.ts'

/** The metadata of a pack, which lists every file with its hash: https://www.researchobject.org/ro-crate/ */
export const crateName = 'ro-crate-metadata.json'
/** What Tablehunt says about a pack: its runs, figures and limits, with the hash of the metadata. */
export const packName = 'pack.json'

/** In manifests of a pack: the path of a file or folder in the pack follows. */
export const packedPrefix = 'pack:'

/** Whether a file of a pack may have a name: it stays below the folder on every system, and file systems take it. */
export function isSafeName(name: string): boolean {
  const isDriveOrControl = /(?:^|\/)[a-z]:|\p{Cc}/iu.test(name)
  return (
    isInnerPath(name) &&
    !isDriveOrControl &&
    name.length <= 1_000 &&
    name.split('/').every(part => part.length <= 255)
  )
}

const figureSchema = z.object({
  /** The folder of the run in the pack, such as `runs/first`. */
  run: z.string(),
  /** The id of the arm in reports. */
  arm: z.string(),
  /** The scorer and the judge. */
  scoring: z.string(),
  /** What is measured, such as `Cell F1` or `lost: wrong`. */
  figure: z.string(),
  /** How the value is printed. */
  unit: z.enum(['share', 'points', 'count']),
  /**
   * What it takes to compute the figure again: the answers with gold (`scores`), the texts that attempts saw too (`classes`), or
   * nothing, because only the record of the attempt has it (`records`).
   */
  from: z.enum(['scores', 'classes', 'records']),
  /** True for figures that a summary prints. */
  isHeadline: z.boolean(),
  /** Null when unknown. */
  value: z.number().nullable(),
})
/** A figure of a report. */
export type PackedFigure = z.infer<typeof figureSchema>

const runSchema = z.object({
  /** Its folder in the pack, such as `runs/first`. */
  folder: z.string(),
  runId: z.string(),
  /** The command line, without folders of the machine. */
  command: z.array(z.string()),
  /** What the pack lacks of this run, one sentence each. */
  missing: z.array(z.string()),
})

/** What can be left out of a pack. */
export const withheldParts = ['pages', 'gold'] as const
export type WithheldPart = (typeof withheldParts)[number]

export const packSchema = z.object({
  format: z.literal('tablehunt-pack-1'),
  /** The version that made the pack. */
  tablehunt: z.string(),
  /** What was left out on purpose. */
  withheld: z.array(z.enum(withheldParts)),
  runs: z.array(runSchema),
  /** SHA-256 of files that were left out, by the paths that they would have. */
  withheldFiles: z.record(z.string(), z.string()),
  /** The figures of each run's report. */
  figures: z.array(figureSchema),
  /** SHA-256 of ro-crate-metadata.json. */
  metadataSha256: z.string(),
})
export type Pack = z.infer<typeof packSchema>

/** Whether a file of a run is left out when pages are: texts of pages are in traces and their blobs. */
export function isPageFile(name: string): boolean {
  return name.startsWith('traces/')
}

/** Files of a run's folder that a pack contains, beside traces/ and answers/. Everything else is made from them. */
export const runFiles = [
  'manifest.json',
  'attempts.jsonl',
  'scores.jsonl',
  'leaks.jsonl',
  'superseded.jsonl',
  'audit.csv',
  'score-limits.json',
  'stability.json',
  'forks/plan.json',
] as const
