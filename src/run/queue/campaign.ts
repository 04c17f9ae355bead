import { z } from 'zod/v4'

/** A relative path that stays below its folder: a campaign must not write anywhere else. */
const placeSchema = z
  .string()
  .refine(
    place =>
      place.split('/').every(part => part !== '' && part !== '.' && part !== '..' && !part.includes('\\')),
    'not a path below a folder',
  )

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** A run as workers receive it. API keys come from each worker's own environment. */
export const campaignSchema = z.object({
  runId: z.string().regex(/^[\w-]+$/),
  /** The resolved options, with `shipped://` instead of the folder in which a worker puts the files. */
  config: z.record(z.string(), z.unknown()),
  distractors: z.string().nullable(),
  files: z.array(z.object({ place: placeSchema, sha256: hash })),
  /** What results depend on, as the coordinator found it. A worker that finds something else makes no attempts. */
  identity: z.record(z.string(), z.unknown()),
  /** The plug-ins of the run. A worker without one of them, or with another version, makes no attempts. */
  plugins: z.array(z.object({ name: z.string(), hash: z.string() })).default([]),
  /** The versions of programs on the coordinator's machine. A worker with other versions reports the difference. */
  programs: z.record(z.string(), z.string().nullable()),
})
export type Campaign = z.infer<typeof campaignSchema>
