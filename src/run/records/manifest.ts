import { isAbsolute } from 'node:path'
import { z } from 'zod/v4'
import { answerKindNames, type MetricDefinition } from '../../core/metric.ts'
import { taskProblemCodes } from '../../core/task.ts'
import { scorerOfProfile } from '../../score/registry.ts'
import { isObject } from '../../text/json.ts'

const metricSchema = z.object({
  key: z.string(),
  label: z.string(),
  unit: z.enum(['share', 'points', 'count']),
  better: z.enum(['higher', 'lower']),
  primary: z.boolean(),
  role: z.enum(['score', 'companion']),
  detail: z.boolean().optional(),
  description: z.string(),
  range: z.tuple([z.number().nullable(), z.number().nullable()]).readonly(),
}) satisfies z.ZodType<MetricDefinition>

const scorerSchema = z.object({ kind: z.enum(answerKindNames), metrics: z.array(metricSchema).readonly() })

/** The version of the records that a new run writes. Runs of versions that recorded none count as 1. */
export const recordVersion = 2

const commonShape = {
  runId: z.string(),
  /** The version of the records when the run began. */
  recordVersion: z.int(),
  tablehunt: z.string(),
  command: z.array(z.string()),
  startedAt: z.string(),
  /** Null while it runs, and in one that was stopped. */
  endedAt: z.string().nullable(),
  /** What each scorer of the run measures, by its name. Absent in runs of older versions. */
  scorers: z.record(z.string(), scorerSchema).optional(),
  /** The version of the program whose `score` made the scores, by `SCORER/JUDGE`. Absent: the run itself made all scores. */
  scoredBy: z.record(z.string(), z.string()).optional(),
  platform: z.object({ node: z.string(), os: z.string(), arch: z.string() }),
  /** How many attempts the run is meant to have. */
  planned: z.int(),
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
}

/** Versions of programs by name; null: there was none. */
const programsSchema = z.record(z.string(), z.string().nullable())
export type Programs = z.infer<typeof programsSchema>
/** The same with the version of this program, in a checkout with its commit. */
export type ProgramsWithOwn = Programs & { readonly tablehunt: string }

const runSchema = z.object({
  source: z.literal('run'),
  ...commonShape,
  /** The version, in a checkout with its commit; absent in runs of older versions. */
  codeVersion: z.string().optional(),
  /** Other versions that resumed the run; absent: none. */
  laterVersions: z.array(z.string()).optional(),
  /** The version of the built-in prompts; absent in runs of version 1. */
  prompts: z.int().optional(),
  /** The resolved options, secrets aside. */
  config: z.record(z.string(), z.unknown()),
  /** The options and hashes that results depend on. A run can only be resumed with the same ones. */
  identity: z.record(z.string(), z.unknown()),
  /** The plug-ins that the run was made with; absent: none. */
  plugins: z.array(z.object({ name: z.string(), hash: z.string() })).optional(),
  /** The SHA-256 of every file of the tasks, by its path relative to the folder of --tasks. Absent in runs of older versions. */
  inputs: z.record(z.string(), z.string()).optional(),
  /** Programs whose versions may change results. Absent in runs of older versions. */
  programs: programsSchema.optional(),
  /** Other programs that the run was resumed with; absent: none. */
  laterPrograms: z.array(programsSchema).optional(),
  /** All caps: of an attempt by setting (with the defaults), of the whole run, and the weights of tokens. */
  caps: z.record(z.string(), z.unknown()).optional(),
  /** The search service, or the one of a replayed recording. `baseUrl` is the address that the operator gave. Null without searches. */
  search: z.object({ provider: z.string(), baseUrl: z.string().nullable() }).nullable().optional(),
  /** Which stores searched chunks, and why Chroma was not used; absent when no vectors were searched here. */
  vectorStore: z.object({ used: z.array(z.string()), fallbackCause: z.string().nullable() }).optional(),
  /** The planned attempts by setting; absent in runs of older versions. */
  plannedBySetting: z.record(z.string(), z.int()).optional(),
})

const importSchema = z.object({
  source: z.literal('import'),
  ...commonShape,
  config: z.looseObject({
    /** The format of the logs. */
    imported: z.string(),
    /** Names of the log files; absent in imports of older versions. */
    files: z.array(z.string()).optional(),
  }),
  identity: z.record(z.string(), z.unknown()),
})

/** Adds `source`, which manifests of older versions lack. The options of a run never contain `imported`. */
function upgradeManifest(value: unknown): unknown {
  if (!isObject(value) || 'source' in value) return value
  const isImport = isObject(value.config) && typeof value.config.imported === 'string'
  return { source: isImport ? 'import' : 'run', recordVersion: 1, ...value }
}

/** Parses a manifest of this version or an older one, which it upgrades. */
export const manifestSchema = z.preprocess(
  upgradeManifest,
  z.discriminatedUnion('source', [runSchema, importSchema]),
)
/** The manifest of a run's folder: of a run (`run`), or of imported logs of another agent (`import`). */
export type Manifest = z.infer<typeof manifestSchema>
/** The manifest of a run. It is written when the run begins and completed when it ends. */
export type RunManifest = Extract<Manifest, { source: 'run' }>
export type ImportManifest = Extract<Manifest, { source: 'import' }>

/** Returns a run's options or identity with the names of this version. Earlier versions stored the scorer as `profile`. */
export function withScorer(kept: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { profile, ...rest } = kept
  const scorer = scorerOfProfile(profile)
  return scorer === null ? rest : { scorer, ...rest }
}

/** Returns a path of a manifest for a message. A relative path is followed by the folder that it is resolved in. */
export function placeOf(path: string): string {
  return isAbsolute(path) ? path : `${path} (in ${process.cwd()})`
}
