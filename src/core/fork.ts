import { z } from 'zod/v4'
import { cellClasses } from './cell-classes.ts'
import { attemptIdSchema } from './inner-path.ts'
import { usageSchema } from './usage.ts'

const count = z.int().min(0)

/** What a fork can change at its step. */
const interventionKinds = [
  ...(['none', 'give', 'tool-result', 'prompt-note', 'answer-now', 'budget'] as const),
  ...(['context-policy', 'search', 'web', 'model'] as const),
]
/** The name of an intervention. */
export type InterventionKind = (typeof interventionKinds)[number]

/** What a fork changes. */
export const interventionSchema = z.object({
  /** What the fork changes at its step. */
  kind: z.enum(interventionKinds),
  /** The new value, such as the names of the given documents; null when there is none. */
  value: z.string().nullable(),
})
/** What a fork changes at its step. */
export type Intervention = z.infer<typeof interventionSchema>

/** Names an intervention as options of records and tables do: `give`, `budget searchCalls=120`. */
export function describeIntervention({ kind, value }: Intervention): string {
  return value === null || kind === 'give' || kind === 'prompt-note' || kind === 'tool-result'
    ? kind
    : `${kind} ${value}`
}

/** A lost item of the source attempt that a fork is about. */
export const forkedItemSchema = z.object({
  /** The id of the gold item (`identifyGold`). */
  id: z.string(),
  /** The question of a conversation, from 0. Absent when the task has one question. */
  turn: count.optional(),
  /** What the item had lost: 1 minus its score. */
  lost: z.number(),
})

/** Where the attempt was forked from, and what was changed. */
export const forkSchema = z.object({
  /** The id of the run that contains the source attempt. */
  run: z.string(),
  /** The id of the source attempt. */
  attemptId: attemptIdSchema,
  /** SHA-256 of the trace of the source attempt. */
  traceSha256: z.string(),
  /** The first model turn that was asked live. The turns before it are replayed from the trace. */
  atStep: z.int().min(1),
  /** What was changed. */
  intervention: interventionSchema,
  /** The loss class that the fork is about (`causes`). Absent for others. */
  lossClass: z.enum(cellClasses).optional(),
  /** The items of this class that the source attempt lost. Absent without a class. */
  items: z.array(forkedItemSchema).optional(),
  /**
   * False when the intervention changed nothing, because the agent made no call that it could change. Absent for
   * interventions that always take effect.
   */
  tookEffect: z.boolean().optional(),
  /** What the replayed part had used. It is not part of `usage`, because nothing of it was paid again. */
  replayed: usageSchema,
})
