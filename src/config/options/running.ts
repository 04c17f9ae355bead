import { defineOption } from '../../core/option-spec.ts'
import {
  oneOf,
  optional,
  redisUrl,
  reject,
  secretSource,
  sizes,
  text,
  toggle,
} from '../../core/option-values.ts'
import { infrastructureCauses, terminationReasons } from '../../core/termination.ts'

const option = defineOption('Running', { changes: 'course' })

/** The values of --retry: `unscored` for all attempts that a provider or the harness ended, or one reason. */
const retryChoices: readonly string[] = [
  'unscored',
  ...infrastructureCauses.flatMap(cause => [...terminationReasons[cause]]),
]

/** 'crashed' looks like 'crash', but the attempts of a crashed agent have a score, so they are not repeated. */
function refuseCrashed(input: string): string {
  if (input === 'crashed')
    reject(
      "'crashed': an agent that crashes is scored, so its attempts are not repeated. Fix the agent and use another --out. 'crash' repeats attempts that Tablehunt itself failed.",
    )
  return input
}

/** The options for how a run is carried out. */
export const runningOptions = {
  resume: option(
    null,
    toggle,
    'resume the run in --out; options that are left out keep the values with which the run began',
    { flag: 'common' },
  ),
  retry: option(
    'unscored|REASON',
    optional(text.transform(refuseCrashed).pipe(oneOf(retryChoices))),
    'repeat attempts that a provider, the harness or the budget of the run ended, or that lacked documents: all of them, or those that ended with one reason',
  ),
  checkpointTokens: option(
    'N,…',
    sizes.default([]),
    "online: after so many tokens, such as 25k,50k, ask for the best table so far; not charged to the attempt's budget",
    { changes: 'results', separates: [], flag: 'none' },
  ),
  forks: option(
    'DIR',
    optional(text),
    'folder of planned forks, which `tablehunt fork` and `tablehunt causes` write: the run makes these alone',
    { changes: 'results', recordedBy: 'contents', separates: [], flag: 'none' },
  ),
  queue: option(
    'URL',
    optional(redisUrl),
    'let workers (tablehunt worker) make the attempts; address of their Redis, such as redis://127.0.0.1:6379',
  ),
  queueSecret: option(
    'SOURCE',
    optional(secretSource),
    'where the secret is that this run shares with its workers: variable:NAME or file:PATH; required unless Redis is on this machine',
  ),
  cache: option('DIR', optional(text), 'folder that keeps document texts and vectors between runs', {
    commands: ['demo', 'tasks', 'score', 'logs import', 'tools call', 'tools serve'],
  }),
  dryRun: option(null, toggle, 'print the typical and the highest cost of the run, and call no model', {
    flag: 'common',
  }),
  json: option(null, toggle, 'print progress and result as JSON lines', {
    changes: 'display',
    commands: ['demo'],
  }),
} as const
