import { infrastructureCauses, terminationReasons } from '../../core/attempt.ts'
import { optionOf } from '../../core/option-spec.ts'
import { oneOf, optional, redisUrl, sizes, text, toggle } from '../../core/option-values.ts'

const option = optionOf('running')

/** What --retry takes: `unscored` for all attempts that a provider or the harness ended, or one reason. */
const retryChoices: readonly string[] = [
  'unscored',
  ...infrastructureCauses.flatMap(cause => [...terminationReasons[cause]]),
]

/** How a run goes on this machine. */
export const runningOptions = {
  resume: option(
    null,
    toggle,
    'go on with the run in --out, which must be there; options that are left out are as it began',
  ),
  retry: option(
    'unscored|REASON',
    optional(oneOf(retryChoices)),
    'make again what the provider or the harness killed: all of it, or one reason of termination',
  ),
  checkpointTokens: option(
    'N,…',
    sizes.default([]),
    'online: ask for the best table so far when so many tokens are spent, such as 25k,50k; charged to the harness',
  ),
  queue: option(
    'URL',
    optional(redisUrl),
    'attempts are made by workers (tablehunt worker) that share this Redis, such as redis://127.0.0.1:6379',
  ),
  cache: option('DIR', optional(text), 'document texts and vectors are kept there'),
  dryRun: option(
    null,
    toggle,
    'print what the run would cost at most and what is typical; nothing is asked or spent',
  ),
  json: option(null, toggle, 'progress and result as JSON lines'),
} as const
