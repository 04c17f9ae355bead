import { z } from 'zod/v4'

/** Relative, below the folder it is put in: a campaign must not write anywhere else. */
const placeSchema = z
  .string()
  .refine(
    place =>
      place.split('/').every(part => part !== '' && part !== '.' && part !== '..' && !part.includes('\\')),
    'no place below a folder',
  )

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** What a worker needs to know of a run to make its attempts; keys of services come from the worker's own environment. */
export const campaignSchema = z.object({
  runId: z.string().regex(/^[\w-]+$/),
  /** The resolved options, with `shipped://` in place of the folder that a worker puts the files in. */
  config: z.record(z.string(), z.unknown()),
  distractors: z.string().nullable(),
  files: z.array(z.object({ place: placeSchema, sha256: hash })),
  /** What results hang on, as the coordinator found it: a worker that finds otherwise makes no attempts. */
  identity: z.record(z.string(), z.unknown()),
  /** The plug-ins of the run: a worker without one of them, or with another version, makes no attempts. */
  plugins: z.array(z.object({ name: z.string(), hash: z.string() })).default([]),
  /** What the coordinator's machine makes attempts with: told where a worker's has another. */
  programs: z.record(z.string(), z.string().nullable()),
})
export type Campaign = z.infer<typeof campaignSchema>
