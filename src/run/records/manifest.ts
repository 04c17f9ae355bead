import { isAbsolute } from 'node:path'
import { z } from 'zod/v4'
import { taskProblemCodes } from '../../core/task.ts'

/** What a run was: written at its start, completed at its end. `identity` is what results hang on. */
export const manifestSchema = z.object({
  runId: z.string(),
  tablehunt: z.string(),
  /** The version, in a checkout with its commit; absent in runs of older versions. */
  codeVersion: z.string().optional(),
  /** Others that went on with it; absent: none did. */
  laterVersions: z.array(z.string()).optional(),
  /** The version of the built-in prompts; absent in runs of version 1. */
  prompts: z.int().optional(),
  command: z.array(z.string()),
  startedAt: z.string(),
  /** Null while it runs, and in one that was stopped. */
  endedAt: z.string().nullable(),
  /** The resolved options, secrets aside. */
  config: z.record(z.string(), z.unknown()),
  /** The options and hashes that results hang on: a run goes on only under the same ones. */
  identity: z.record(z.string(), z.unknown()),
  /** The plug-ins that the run was made with; absent: none. */
  plugins: z.array(z.object({ name: z.string(), hash: z.string() })).optional(),
  /** Every cap: of an attempt by setting, defaults included, of the whole run, and the weights of tokens. */
  caps: z.record(z.string(), z.unknown()).optional(),
  /** What answers searches, or did when a replayed web was recorded; baseUrl where the operator gave one. Null without searches. */
  search: z.object({ provider: z.string(), baseUrl: z.string().nullable() }).nullable().optional(),
  /** Which stores searched chunks, and why Chroma was not used; absent when no vectors were searched here. */
  vectorStore: z.object({ used: z.array(z.string()), fallbackCause: z.string().nullable() }).optional(),
  platform: z.object({ node: z.string(), os: z.string(), arch: z.string() }),
  /** How many attempts the run is meant to have. */
  planned: z.int(),
  /** The same by setting; absent in runs of older versions. */
  plannedBySetting: z.record(z.string(), z.int()).optional(),
  skippedTasks: z.array(
    z.object({
      line: z.int(),
      recordId: z.string().nullable(),
      problem: z.string(),
      /** Both are absent in runs of older versions. */
      code: z.enum(taskProblemCodes).optional(),
      file: z.string().optional(),
    }),
  ),
})
export type Manifest = z.infer<typeof manifestSchema>

/** A path of a run's manifest for a message: with the folder that a relative one is looked up in. */
export function placeOf(path: string): string {
  return isAbsolute(path) ? path : `${path} (in ${process.cwd()})`
}
