import { z } from 'zod/v4'
import { discoverySchema, retrievalSchema } from './discovery.ts'
import { forkSchema } from './fork.ts'
import { attemptIdSchema } from './inner-path.ts'
import { answerKindNames } from './metric.ts'
import { plausibleMs } from './runtime.ts'
import { terminationSchema } from './termination.ts'
import { callsInTextSchema, toolFailuresSchema, usageSchema } from './usage.ts'

const count = z.int().min(0)

/** The version of the records that this version of Tablehunt writes and reads. */
export const recordVersion = 3

/** How an agent of another project was kept apart from the machine. `none`: it ran as the operator's user. */
const isolationModes = ['bubblewrap', 'container', 'none'] as const
export type IsolationMode = (typeof isolationModes)[number]

const answerSchema = z.object({
  /** The table as read, written again as CSV; null when no table could be read. */
  csv: z.string().nullable(),
  /** Data rows of that table, without the header; null when no table could be read. */
  rows: count.nullable(),
  /** Names of its columns; null when no table could be read. */
  columns: z.array(z.string()).nullable(),
  /** The kind of answer, when one could be read; `unreadable` or `none` otherwise. */
  parseStatus: z.enum([...answerKindNames, 'unreadable', 'none']),
  /** What was unusual about the answer, or why nothing could be read; null when there is nothing to say. */
  parseNote: z.string().nullable(),
  /** The value as read, when JSON was asked for; `csv`, `rows` and `columns` are then null. Absent otherwise. */
  json: z.unknown().optional(),
  /**
   * The text without its reasoning, when a text was asked for; `csv`, `rows` and `columns` are then null.
   * Absent otherwise.
   */
  text: z.string().optional(),
})
/** What could be read of an attempt's answer. */
export type Answer = z.infer<typeof answerSchema>

/** The documents in the prompt of an offline or RAG attempt. */
export const contextSchema = z.object({
  /** The documents of the prompt, in the order of the task. */
  documents: z.array(
    z.object({
      /** The name of the document, as the task gives it. */
      hint: z.string(),
      /** Length of its text. */
      chars: count,
      /** How much of it is in the prompt. */
      charsInPrompt: count,
      /**
       * How many of these are from the beginning; the others are from the end. Absent when all are.
       */
      charsFromStart: count.optional(),
      /** Why its text, or part of it, could not be read; null when all could be. */
      problem: z.string().nullable(),
      /** What of it may be wrong or is left out, each with its place. Absent when there is nothing to say. */
      notices: z.array(z.string()).optional(),
      /** True when pages were read by OCR. Absent otherwise. */
      ocr: z.boolean().optional(),
    }),
  ),
  /** How documents were cut to fit the context window (`even`, `head`, `head-tail`); null when nothing was cut. */
  cutStrategy: z.string().nullable(),
})
/** The documents in the prompt of an offline or RAG attempt. */
export type Context = z.infer<typeof contextSchema>

/** A file of an attempt, as it was when the attempt was recorded. */
const attemptFileSchema = z.object({
  /** The path of the file in the run's folder. */
  name: z.string(),
  /** Its length. */
  bytes: count,
  /** The SHA-256 of its bytes, in lower-case hex. */
  sha256: z.string(),
})
/** A file of an attempt, as it was when the attempt was recorded. */
export type AttemptFile = z.infer<typeof attemptFileSchema>

/** One line of attempts.jsonl. */
export const attemptSchema = z.object({
  /** The id, made of task, setting, model, trial and options. The same command makes the same ids. */
  attemptId: attemptIdSchema,
  /** In imported attempts: the foreign log's id of the sample, or FILE:LINE. Absent in a run's own attempts. */
  sourceId: z.string().optional(),
  /** The id of the task. */
  taskId: z.string(),
  /** The benchmark that loaded the task. */
  benchmark: z.string(),
  /** The domain of the task, such as `financial`. Reports group by it. */
  domain: z.string(),
  /**
   * Further names and values that reports can group by, such as `{ tier: 'hard' }`. Absent when there are none.
   */
  facets: z.record(z.string(), z.string()).optional(),
  /**
   * The names of the documents that the task asks about. Tasks that share documents are not independent in statistics.
   * Absent in imported attempts without a task.
   */
  documents: z.array(z.string()).optional(),
  /** The language of the task, a BCP 47 tag such as `en`. */
  language: z.string(),
  /**
   * Who ran the attempt: `tablehunt` is Tablehunt's own loop. Absent in imported attempts.
   */
  agent: z.string().optional(),
  /**
   * How an agent of another project was kept apart from this machine. `none`: it could read the tasks and the run. Absent for
   * Tablehunt's own loop.
   */
  isolation: z.enum(isolationModes).optional(),
  /** How the question was asked, such as `offline`. */
  setting: z.string(),
  /** Options that differ from the defaults, by flag without `--`: `{ cot: 'off' }`. */
  options: z.record(z.string(), z.string()),
  /** The model under test, as `--model` names it, without an address. */
  model: z.string(),
  /** The number of the repetition, from 0. */
  trial: count,
  /** The seed of the run. */
  seed: z.int(),
  /** When the attempt began (ISO 8601). */
  startedAt: z.string(),
  /** When it ended (ISO 8601). */
  endedAt: z.string(),
  /** Why and how the attempt ended. */
  termination: terminationSchema,
  /** What it used. */
  usage: usageSchema,
  /** How its searches and fetches went. Absent when no tool was called. */
  toolFailures: toolFailuresSchema.optional(),
  /**
   * Its tool calls that the model server left in the text. Absent when there were none.
   */
  callsInText: callsInTextSchema.optional(),
  /** What was read of its final answer. In a conversation: the answer to the last question. */
  answer: answerSchema,
  /** The answers to the questions of a conversation, in order. Absent when the task has one question. */
  turns: z
    .array(
      z.object({
        /** The answer to this question. */
        answer: answerSchema,
      }),
    )
    .optional(),
  /** The documents of the prompt (offline and rag); null in other settings. */
  context: contextSchema.nullable(),
  /**
   * Null when the evidence of the task is not known: discovery and some loss classes are then null too. Absent
   * otherwise.
   */
  evidence: z.null().optional(),
  /** Which documents the agent found (online); null in other settings, and when the evidence is not known. */
  discovery: discoverySchema.nullable(),
  /** What was retrieved (rag); null in other settings. */
  retrieval: retrievalSchema.nullable(),
  /**
   * The documents that the setting should have received, but that are missing or have no readable text. The attempt is
   * then unscored unless `--allow-missing-documents` is given. Absent when all were read.
   */
  missingDocuments: z
    .array(
      z.object({
        /** The name of the document, as the task gives it. */
        name: z.string(),
        /** Why it has no text. */
        problem: z.string(),
      }),
    )
    .optional(),
  /**
   * The documents that tools opened and that our reader read in part or with a guess. Absent when there were none.
   */
  openedInPart: z
    .array(
      z.object({
        /** The address after all redirects. */
        url: z.string(),
        /** What of it may be wrong or is left out, each with its place. */
        notices: z.array(z.string()),
      }),
    )
    .optional(),
  /** Where the attempt was forked from (`tablehunt fork`). Absent for other attempts. */
  fork: forkSchema.optional(),
  /**
   * Its trace, its answers and the long texts that they refer to, as they were when the attempt was recorded. Equal runs
   * differ here, because traces contain times. Absent until the attempt is recorded.
   */
  files: z.array(attemptFileSchema).optional(),
})
/**
 * One line of attempts.jsonl: one try of one arm at one task.
 *
 * @example
 * import { type Attempt, readRun } from 'tablehunt'
 *
 * const isCut = ({ termination }: Attempt): boolean => termination.cause === 'budget'
 * const { attempts } = await readRun('runs/first')
 * console.log(attempts.filter(isCut).map(({ taskId }) => taskId))
 */
export type Attempt = z.infer<typeof attemptSchema>

/** Whether the recorded durations of an attempt cannot be right. A run measures with a monotonic clock; the clock of an imported log may have been changed. */
export function hasChangedClock({
  startedAt,
  endedAt,
  usage,
}: {
  readonly startedAt: string
  readonly endedAt: string
  readonly usage: { readonly wallMs: number | null }
}): boolean {
  const spanMs = Date.parse(endedAt) - Date.parse(startedAt)
  return Number.isFinite(spanMs) && [spanMs, usage.wallMs ?? 0].some(ms => plausibleMs(ms) === null)
}
