import { z } from 'zod'
import { chatMessageSchema } from './chat-messages.ts'
import { callSchema } from './message-parts.ts'

const count = z.int().min(0).nullish()

export const inspectUsageSchema = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  input_tokens_cache_read: count,
  reasoning_tokens: count,
  total_cost: z.number().nullish(),
})

const outputSchema = z.looseObject({
  model: z.string().nullish(),
  choices: z
    .array(
      z.looseObject({
        message: z
          .looseObject({ id: z.string().nullish(), tool_calls: z.array(callSchema).nullish() })
          .nullish(),
        stop_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  completion: z.string().nullish(),
  usage: inspectUsageSchema.nullish(),
})

/** The header of a log: Inspect AI, `EvalLog` without its samples. */
export const inspectHeaderSchema = z.looseObject({
  status: z.string().nullish(),
  eval: z.looseObject({ task: z.string().nullish(), model: z.string().nullish() }),
  error: z.looseObject({ message: z.string().nullish() }).nullish(),
})
export type InspectHeader = z.infer<typeof inspectHeaderSchema>

/** One sample of a log: Inspect AI, `EvalSample`. */
export const inspectSampleSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  epoch: z.int().min(1).nullish(),
  input: z.unknown().optional(),
  messages: z.array(chatMessageSchema).nullish(),
  output: outputSchema.nullish(),
  limit: z
    .looseObject({ type: z.string(), limit: z.unknown().optional(), reason: z.string().nullish() })
    .nullish(),
  error: z.looseObject({ message: z.string().nullish() }).nullish(),
  model_usage: z.record(z.string(), inspectUsageSchema).nullish(),
  started_at: z.string().nullish(),
  completed_at: z.string().nullish(),
  /** Seconds. */
  total_time: z.number().nullish(),
  working_time: z.number().nullish(),
  attachments: z.record(z.string(), z.string()).nullish(),
  events: z
    .array(
      z.looseObject({
        event: z.string(),
        timestamp: z.string().nullish(),
        working_time: z.number().nullish(),
        output: outputSchema.nullish().catch(null),
      }),
    )
    .nullish(),
})
export type InspectSample = z.infer<typeof inspectSampleSchema>
export type InspectOutput = z.infer<typeof outputSchema>
