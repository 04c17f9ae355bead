import { z } from 'zod'
import { optionOf } from '../option-spec.ts'
import { absent, text } from '../values.ts'

const option = optionOf('running')

/** How a run goes on this machine. */
export const runningOptions = {
  cache: option('DIR', absent(text), 'document texts and vectors are kept there'),
  dryRun: option(
    null,
    z.boolean().default(false),
    'print what the run would cost at most and what is typical; nothing is asked or spent',
  ),
  json: option(null, z.boolean().default(false), 'progress and result as JSON lines'),
} as const
