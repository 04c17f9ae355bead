import { isAbsolute } from 'node:path'
import { z } from 'zod/v4'
import { recordVersion } from '../../core/attempt.ts'
import { answerKindNames, type MetricDefinition } from '../../core/metric.ts'
import { taskProblemCodes } from '../../core/task-problem.ts'

/** What stops a run: the signals, and a caller of the library. */
export const stopCauses = ['SIGINT', 'SIGTERM', 'SIGHUP', 'caller'] as const
export type StopCause = (typeof stopCauses)[number]

const metricSchema = z.object({
  /** The name in records and options, such as `cellF1`. */
  key: z.string(),
  /** The name in tables and figures. */
  label: z.string(),
  /** `share` is 0 to 1, `points` and `count` are printed as they are. */
  unit: z.enum(['share', 'points', 'count']),
  /** Whether higher or lower values are better. */
  better: z.enum(['higher', 'lower']),
  /** True for the metric that comparisons are about. Each scorer has exactly one. */
  primary: z.boolean(),
  /** `score`: how good an answer is. `companion`: qualifies a score. */
  role: z.enum(['score', 'companion']),
  /** True for a metric that appears in JSON and exports only. Absent otherwise. */
  detail: z.boolean().optional(),
  /** What it measures, and where the rule comes from. */
  description: z.string(),
  /** The smallest and the largest possible value; null for unbounded. */
  range: z.tuple([z.number().nullable(), z.number().nullable()]).readonly(),
}) satisfies z.ZodType<MetricDefinition>

const scorerSchema = z.object({
  /** The kind of gold that the scorer takes. */
  kind: z.enum(answerKindNames),
  /** Its metrics. */
  metrics: z.array(metricSchema).readonly(),
  /** Which differences it forgives, in one line. Absent: unknown. */
  forgives: z.string().optional(),
})

const commonShape = {
  /** A random id of the run. */
  runId: z.string(),
  /** The version of the records. */
  recordVersion: z.literal(recordVersion),
  /** The version of Tablehunt. */
  tablehunt: z.string(),
  /** The words of the command line. */
  command: z.array(z.string()),
  /** When the run began (ISO 8601). */
  startedAt: z.string(),
  /** When it ended (ISO 8601); null while it runs, and when it was stopped. */
  endedAt: z.string().nullable(),
  /** What each scorer measures, by its name. Absent until `score` is used. */
  scorers: z.record(z.string(), scorerSchema).optional(),
  /** The version whose `score` made the scores, by `SCORER/JUDGE`. Absent when the run itself made all scores. */
  scoredBy: z.record(z.string(), z.string()).optional(),
  /** The machine that made the run. */
  platform: z.object({
    /** The version of Node. */
    node: z.string(),
    /** The operating system and its release. */
    os: z.string(),
    /** The processor, such as `x64`. */
    arch: z.string(),
  }),
  /** How many attempts the run is meant to have. */
  planned: z.int(),
  /** Records that could not be read as tasks. */
  skippedTasks: z.array(
    z.object({
      /** The line of the record, from 1. */
      line: z.int(),
      /** The id of the record; null when it has none. */
      recordId: z.string().nullable(),
      /** What is wrong with it. */
      problem: z.string(),
      /** The code of the problem. Absent in imported logs. */
      code: z.enum(taskProblemCodes).optional(),
      /**
       * The file of the record, when it is not the one that `--tasks` names. Absent otherwise.
       */
      file: z.string().optional(),
    }),
  ),
}

/** Versions of programs by name; null when there was none. */
const programsSchema = z.record(z.string(), z.string().nullable())
export type Programs = z.infer<typeof programsSchema>
/** The same with the version of this program, in a checkout with its commit. */
export type ProgramsWithOwn = Programs & { readonly tablehunt: string }

const runSchema = z.object({
  /** `run`: the attempts were made here. `import`: they come from the logs of another agent. */
  source: z.literal('run'),
  ...commonShape,
  /** The version, in a checkout with its commit. */
  codeVersion: z.string(),
  /** Other versions that resumed the run. Absent when none did. */
  laterVersions: z.array(z.string()).optional(),
  /** The version of the built-in prompts. */
  prompts: z.int(),
  /** The resolved options, without secrets. */
  config: z.record(z.string(), z.unknown()),
  /** The options and hashes that results depend on. A run can be resumed only when they are equal. */
  identity: z.record(z.string(), z.unknown()),
  /** The plug-ins of the run. Absent when there are none. */
  plugins: z
    .array(
      z.object({
        /** The name of the plug-in. */
        name: z.string(),
        /** SHA-256 of its files. */
        hash: z.string(),
      }),
    )
    .optional(),
  /**
   * The external agents of the run, by their names, with what identifies each: its command without folders, the hashes of the
   * files that the command names, and the names of its variables. Absent when the run has none.
   */
  agents: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  /** SHA-256 of every file that the tasks come from, by its path below the folder of `--tasks`. */
  inputs: z.record(z.string(), z.string()),
  /**
   * Versions of programs that may change what attempts find, by name; null when a program is not installed.
   */
  programs: programsSchema,
  /** Other programs that the run was resumed with; null when one was not installed. Absent when there are none. */
  laterPrograms: z.array(programsSchema).optional(),
  /**
   * Every budget: of an attempt by setting, with the defaults, of the whole run, and the weights of tokens.
   */
  caps: z.record(z.string(), z.unknown()),
  /**
   * What answers searches. For a replayed web: what answered when it was recorded. Null without searches.
   */
  search: z
    .object({
      /** The name of the service, or `sealed`. */
      provider: z.string(),
      /** The address that the operator gave it; null when none was given. */
      baseUrl: z.string().nullable(),
      /** The further services of a run with several. Absent with one. */
      others: z
        .array(
          z.object({
            /** The name of the service. */
            provider: z.string(),
            /** The address that the operator gave it; null when none was given. */
            baseUrl: z.string().nullable(),
          }),
        )
        .optional(),
      /**
       * The language and region of searches that name none, by the language of the question. Absent when the service
       * chooses for all questions.
       */
      locales: z
        .record(
          z.string(),
          z.object({
            /** The language, such as `zh-cn`. */
            language: z.string(),
            /** The country, such as `cn`. */
            region: z.string(),
          }),
        )
        .optional(),
    })
    .nullable(),
  /** Who stopped the run, and when (ISO 8601), if attempts are left. Absent while it runs, after its end, and when its process was killed. */
  stopped: z
    .object({
      /** A signal, or `caller` for a program that uses the library. */
      by: z.enum(stopCauses),
      /** When the last running attempt was recorded. */
      at: z.string(),
    })
    .optional(),
  /** The planned attempts by setting. */
  plannedBySetting: z.record(z.string(), z.int()),
})

const importSchema = z.object({
  /** `run`: the attempts were made here. `import`: they come from the logs of another agent. */
  source: z.literal('import'),
  ...commonShape,
  /** What was imported. */
  config: z.looseObject({
    /** The format of the logs. */
    imported: z.string(),
    /** Names of the log files. */
    files: z.array(z.string()),
    /** The tasks that samples were matched to. Absent when there were none. */
    tasks: z.string().optional(),
  }),
  /** Empty, because an import cannot be resumed. */
  identity: z.record(z.string(), z.unknown()),
  /** SHA-256 of every file of `--tasks`, by its path below their folder. Absent when nothing was matched to tasks. */
  inputs: z.record(z.string(), z.string()).optional(),
})

/** Parses a manifest. */
export const manifestSchema = z.discriminatedUnion('source', [runSchema, importSchema])
/** The manifest of a run's folder: of a run (`run`), or of imported logs of another agent (`import`). */
export type Manifest = z.infer<typeof manifestSchema>
/** The manifest of a run. It is written when the run begins and completed when it ends. */
export type RunManifest = Extract<Manifest, { source: 'run' }>
export type ImportManifest = Extract<Manifest, { source: 'import' }>

/** Returns a path of a manifest for a message. A relative path is followed by the folder that it is resolved in. */
export function describePath(path: string): string {
  return isAbsolute(path) ? path : `${path} (in ${process.cwd()})`
}
