import { readFile } from 'node:fs/promises'
import type { StoredText } from '../../../logs/event-parts.ts'
import type { EventBody } from '../../../logs/events.ts'
import { parseTrace } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import type { RunAmounts } from '../../core/budget.ts'
import type { DataError } from '../../core/errors.ts'
import { ifMissing } from '../../system/files.ts'

/** A shadow answer: what the model answers on a copy of the conversation when the attempt has spent so many tokens. */
export interface Checkpoint {
  /** Tokens that the attempt had spent when the question was asked. */
  readonly tokens: number
  /** Null when the model gave no answer. */
  readonly answer: StoredText | null
}

type CheckpointEvent = Extract<EventBody, { type: 'checkpoint' }>

/**
 * Reads the shadow answers of an attempt from its trace. Parses their lines only.
 *
 * @param onDamage receives each damaged line, which is then left out; by default it is an error
 * @throws DataError [damaged-trace]
 */
export async function readCheckpoints(
  folder: string,
  attemptId: string,
  onDamage?: (error: DataError) => void,
): Promise<CheckpointEvent[]> {
  const path = tracePath(folder, attemptId)
  const trace = (await readFile(path, 'utf8').catch(ifMissing)) ?? ''
  const { events } = parseTrace(trace, path, line => line.includes('"type":"checkpoint"'), onDamage)
  return events.flatMap(event => (event.type === 'checkpoint' ? [event] : []))
}

/** Reads the checkpoint of a trace event. */
export function makeCheckpoint(event: CheckpointEvent): Checkpoint {
  return { tokens: event.tokens, answer: event.problem === undefined ? event.answer : null }
}

/** Returns what a shadow answer took from the run's budget. */
export function readCheckpointSpending({ usage, usd }: CheckpointEvent): RunAmounts {
  return { tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0), usd: usd ?? 0, searchCalls: 0 }
}
