import { z } from 'zod/v4'
import { type ForeignEnd, mapped } from './foreign-log.ts'
import { optionalId, optionalText, readId } from './message-parts.ts'
import { isRateLimit } from './provider-words.ts'

const stepSchema = z.looseObject({
  step_name: z.string().catch(''),
  message: z.string().catch(''),
  /** MiroFlow only. */
  status: optionalText,
})
/** A step of the agent, as its logger writes it. */
export type MiroStep = z.infer<typeof stepSchema>

/** The fields that the task logs of MiroThinker and MiroFlow share. */
export const miroLogSchema = z.looseObject({
  status: optionalText,
  task_id: optionalId,
  input: z.looseObject({ task_description: optionalText }).nullish().catch(null),
  start_time: optionalText,
  end_time: optionalText,
  final_boxed_answer: z.string().nullish(),
  error: optionalText,
  main_agent_message_history: z.unknown().optional(),
  sub_agent_message_history_sessions: z.unknown().optional(),
  step_logs: z.array(stepSchema).catch([]),
})
/** A task log after validation. */
export type MiroLog = z.infer<typeof miroLogSchema>

/** A log of either framework has at least one of these fields. */
export const miroLogFields = ['step_logs', 'final_boxed_answer']

/** Returns the id of the task; null when the log has none. */
export function readTaskId({ task_id: id }: MiroLog): string | null {
  return readId(id)
}

/** Whether the log contains an answer. When the model wrote no box, the agent writes a sentence instead. */
export function hasAnswer({ final_boxed_answer: boxed }: MiroLog): boolean {
  return (boxed ?? '').trim() !== '' && !/no \\boxed\{\} content found/i.test(boxed ?? '')
}

/** Returns the end of an agent that an exception stopped. The last line of a traceback names the exception. */
export function exceptionEnd({ error, status }: MiroLog): ForeignEnd {
  const words = (error ?? '').trim().split('\n').at(-1)?.trim() || `status: ${status ?? null}`
  return mapped(
    isRateLimit(words)
      ? { cause: 'provider', reason: 'rate-limited' }
      : { cause: 'harness', reason: 'crash' },
    words,
  )
}

/** Returns the end of an agent that ended by itself. */
export function endByItself(log: MiroLog): ForeignEnd {
  return hasAnswer(log)
    ? mapped({ cause: 'agent', reason: 'answered' }, `status: ${log.status ?? null}`)
    : mapped({ cause: 'agent', reason: 'answered-without-table' }, log.final_boxed_answer ?? '', {
        answered: false,
      })
}
