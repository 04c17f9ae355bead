import { z } from 'zod/v4'
import { chatMessageSchema } from './chat-messages.ts'
import { callSchema, countOrUnknown, optionalId, optionalText } from './message-parts.ts'

const amount = z.number().nullish().catch(null)

/** Token usage of a model in an Inspect AI log. */
export const inspectUsageSchema = z.looseObject({
  input_tokens: countOrUnknown,
  output_tokens: countOrUnknown,
  input_tokens_cache_read: countOrUnknown,
  input_tokens_cache_write: countOrUnknown,
  reasoning_tokens: countOrUnknown,
  total_tokens: countOrUnknown,
  total_cost: amount,
})

const outputSchema = z.looseObject({
  model: z.string().nullish(),
  choices: z
    .array(
      z.looseObject({
        message: z
          .looseObject({
            id: optionalText,
            content: z.unknown().optional(),
            tool_calls: z.array(callSchema).nullish().catch(null),
          })
          .nullish(),
        stop_reason: optionalText,
      }),
    )
    .nullish(),
  /** For logs without a list of choices. */
  stop_reason: optionalText,
  completion: optionalText,
  usage: inspectUsageSchema.nullish(),
})

const ownEvent = z.looseObject({
  event: optionalText,
  timestamp: optionalText,
  working_time: amount,
  output: outputSchema.nullish().catch(null),
  /** In tool events: the tool's name, whether it crashed, and its error. */
  function: optionalText,
  failed: z.boolean().nullish().catch(null),
  error: z.looseObject({ type: optionalText }).nullish().catch(null),
})

/** One event of a sample. */
export interface InspectEvent extends z.infer<typeof ownEvent> {
  /** Older logs nest the events of a subtask or tool call here. */
  events?: InspectEvent[] | null | undefined
}

const eventSchema: z.ZodType<InspectEvent> = ownEvent.extend({
  events: z.lazy(() => z.array(eventSchema).nullish()).catch(null),
})

/** The header of a log: Inspect AI's `EvalLog` without its samples. */
export const inspectHeaderSchema = z.looseObject({
  status: z.string().nullish(),
  eval: z.looseObject({
    task: z.string().nullish(),
    model: z.string().nullish(),
    /** The same in all logs of an evaluation that was retried. */
    task_id: optionalText,
    eval_id: optionalText,
    created: optionalText,
    /** The samples that were planned after limits and filters. Each runs in every epoch. */
    dataset: z
      .looseObject({ sample_ids: z.array(z.union([z.string(), z.number()])).nullish() })
      .nullish()
      .catch(null),
    config: z
      .looseObject({ epochs: z.int().min(1).nullish() })
      .nullish()
      .catch(null),
  }),
  /** All samples of all epochs, the unfinished ones included. Logs of `export` need not have every sample in every epoch. */
  results: z.looseObject({ total_samples: z.int().nullish() }).nullish().catch(null),
  error: z.looseObject({ message: z.string().nullish() }).nullish(),
})
/** The header of a log after validation. */
export type InspectHeader = z.infer<typeof inspectHeaderSchema>

/** One sample of a log: Inspect AI's `EvalSample`. */
export const inspectSampleSchema = z.looseObject({
  id: optionalId,
  epoch: z.int().min(1).nullish().catch(null),
  /** Identifies the run of the sample, in every log that contains it. */
  uuid: optionalText,
  input: z.unknown().optional(),
  messages: z.array(chatMessageSchema).nullish(),
  output: outputSchema.nullish(),
  limit: z.looseObject({ type: z.string(), limit: z.unknown().optional(), reason: optionalText }).nullish(),
  error: z.union([z.string(), z.looseObject({ message: optionalText })]).nullish(),
  model_usage: z.record(z.string(), inspectUsageSchema).nullish(),
  started_at: optionalText,
  completed_at: optionalText,
  /** Seconds. */
  total_time: amount,
  working_time: amount,
  metadata: z.looseObject({}).nullish().catch(null),
  attachments: z.record(z.string(), z.string()).nullish().catch(null),
  events: z.array(eventSchema).nullish(),
})
/** A sample after validation. */
export type InspectSample = z.infer<typeof inspectSampleSchema>

/** Returns the name of a sample in records, `ID#EPOCH`; null when the log reports no id. */
export function sampleName(
  id: string | number | null | undefined,
  epoch: number | null | undefined,
): string | null {
  return id === null || id === undefined ? null : `${id}#${epoch ?? 1}`
}

/**
 * Returns the sample name for a file in an archive (`samples/ID_epoch_EPOCH.json`, or a folder of that name); null
 * for other files.
 */
export function entryName(entry: string): string | null {
  const [, id, epoch] = /^samples\/(.+)_epoch_(\d+)(?:\.json)?$/.exec(entry) ?? []
  return id === undefined ? null : sampleName(id, Number(epoch))
}

/**
 * Returns the planned samples that are missing from the log, ordered by epoch. A run that was cancelled, killed or
 * stopped by an error may lack some samples. The list is empty when the log does not report the planned samples.
 */
export function missingSamples(
  { eval: { dataset, config } }: InspectHeader,
  presentNames: ReadonlySet<string>,
): string[] {
  const ids = dataset?.sample_ids ?? []
  const epochs = Array.from({ length: config?.epochs ?? 1 }, (_, index) => index + 1)
  const planned = epochs.flatMap(epoch => ids.flatMap(id => sampleName(id, epoch) ?? []))
  return planned.filter(name => !presentNames.has(name))
}
