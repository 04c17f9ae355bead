import type { SharedToolEnvironment } from '../../../agents/setting.ts'
import { type BlobStore, createBlobStore } from '../../../logs/blobs.ts'
import { openNewTrace } from '../../../logs/earlier-traces.ts'
import { createRedactor } from '../../../logs/redact.ts'
import type { Trace } from '../../../logs/writer.ts'
import type { Clock } from '../../core/runtime.ts'
import type { Task } from '../../core/task.ts'
import type { CloseLater } from './close-all.ts'
import { type CleanRecord, encryptedQuestions, listSecrets, questionRemover } from './secrets.ts'
import { openSpans } from './spans/open-spans.ts'
import type { Spans } from './spans/spans.ts'

/** The writers of attempts below a folder. */
export interface AttemptWriters {
  /** The long texts of traces, by hash. */
  readonly blobs: BlobStore
  /** Begins an attempt's trace. Moves one that an interrupted run left out of the way. */
  openTrace(attemptId: string): Promise<Trace>
  readonly sharedToolEnvironment: SharedToolEnvironment
}

/** What a run writes its records with. */
export interface RecordWriters extends AttemptWriters {
  /** Opens writers of attempts below another folder, for an attempt whose files are collected elsewhere. */
  writingTo(folder: string): AttemptWriters
  /** OpenTelemetry spans of attempts, if a collector is configured. */
  readonly spans: Spans
  /** Removes the keys of this environment, and the questions that their benchmark encrypts, from a text. */
  withoutSecrets(text: string): string
  /** Removes the questions that their benchmark encrypts from a record before it is written. */
  readonly withoutQuestions: CleanRecord
}

interface WritersInput {
  /** The run's folder. */
  readonly folder: string
  readonly tasks: readonly Task[]
  readonly toolEnvironment: Omit<SharedToolEnvironment, 'keepText'>
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  tell(line: string): void
}

/** Opens the writers of traces, texts and spans. No file that they write contains a secret. */
export async function openRecordWriters(
  { folder: runFolder, tasks, toolEnvironment, env, clock, tell }: WritersInput,
  closeLater: CloseLater,
): Promise<RecordWriters> {
  const spans = await openSpans({ env, clock, tell })
  closeLater(spans)
  const questions = encryptedQuestions(tasks)
  const secrets = [...listSecrets(env), ...questions]
  const writingTo = (folder: string): AttemptWriters => {
    const blobs = createBlobStore({ folder, secrets })
    return {
      blobs,
      openTrace: attemptId => openNewTrace({ folder, attemptId, clock, blobs, secrets }),
      sharedToolEnvironment: { ...toolEnvironment, keepText: text => blobs.put(text) },
    }
  }
  return {
    ...writingTo(runFolder),
    writingTo,
    spans,
    withoutSecrets: createRedactor(secrets).text,
    withoutQuestions: questionRemover(questions),
  }
}
