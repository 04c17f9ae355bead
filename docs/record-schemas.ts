// Writes docs/schemas/: a JSON Schema for each file of a run's folder, from the schemas that the program reads it with.
import { z } from 'zod/v4'
import { envelopeSchema, eventBodySchema } from '../logs/events.ts'
import { attemptSchema } from '../src/core/attempt.ts'
import { scoreSchema } from '../src/core/score.ts'
import { leakSchema } from '../src/run/records/leaks.ts'
import { manifestSchema } from '../src/run/records/manifest.ts'
import { notesSchema } from '../src/run/view/notes.ts'

const schemas = {
  manifest: manifestSchema,
  attempt: attemptSchema,
  score: scoreSchema,
  leak: leakSchema,
  notes: notesSchema,
  'trace-event': z.intersection(envelopeSchema, eventBodySchema),
} as const

/** Returns the JSON Schemas by the names of their files. */
export function recordSchemas(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(schemas).map(([name, schema]) => {
      // Records of later versions have further fields, so unknown fields are valid.
      const json = z.toJSONSchema(schema as z.ZodType, { io: 'input' })
      return [`${name}.schema.json`, `${JSON.stringify({ title: name, ...json }, null, 2)}\n`]
    }),
  )
}
