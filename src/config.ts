import { z } from 'zod'
import { settings } from '../agents/registry.ts'
import { embedders, retrievers, vectorStores } from '../retrieval/registry.ts'
import { benchmarks } from '../tasks/registry.ts'
import { pageReaders } from '../tools/page/registry.ts'
import { searchProviders } from '../tools/search/registry.ts'
import type { BudgetCaps } from './core/budget.ts'
import { ConfigError } from './core/errors.ts'
import { nearestName, notAmong } from './core/nearest.ts'
import { controls } from './run/controls/registry.ts'
import { profiles } from './score/registry.ts'

/** One option of `run`: its schema takes what a flag or a config file gives and makes the typed value of it. */
export interface OptionSpec<S extends z.ZodType = z.ZodType> {
  readonly schema: S
  /** How the value is written in --help; null: a switch. */
  readonly value: string | null
  readonly help: string
  readonly group: string
}

const option = <S extends z.ZodType>(
  group: string,
  value: string | null,
  schema: S,
  help: string,
): OptionSpec<S> => ({
  schema,
  value,
  help,
  group,
})

function bad(message: string): never {
  throw new ConfigError(message)
}

const text = z.string().min(1)
/** A count, `8k` and `4m` included. */
const size = z.union([z.number(), z.string()]).transform(given => {
  const match = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(String(given).replaceAll('_', ''))
  if (match === null) return bad(`'${given}': a number such as 8000, 8k or 4m`)
  return Math.round(Number(match[1]) * { '': 1, k: 1000, m: 1_000_000 }[match[2]!.toLowerCase()]!)
})
const decimal = z.union([z.number(), z.string()]).transform(given => {
  const number = Number(given)
  return Number.isFinite(number) && String(given).trim() !== '' ? number : bad(`'${given}': a number`)
})
/** Sizes by commas, each once. */
const sizes = z
  .union([z.number(), z.string(), z.array(z.union([z.number(), z.string()]))])
  .transform(given => {
    const parts = typeof given === 'string' ? given.split(',').map(part => part.trim()) : [given].flat()
    const read = parts.map(part => size.parse(part))
    return read.length > 0 && read.every(one => one > 0)
      ? [...new Set(read)]
      : bad(`'${String(given)}': sizes such as 2k,8k,32k`)
  })
const positive = size.refine(number => number > 0, 'more than 0')
/** Milliseconds from `90s`, `10m`, `500ms`, `1h`; a bare number counts seconds. */
const duration = z.union([z.number(), z.string()]).transform(given => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(String(given))
  if (match === null) return bad(`'${given}': a time such as 90s, 10m or 1h`)
  return Math.round(Number(match[1]) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match[2] ?? 's']!)
})
const oneOf = <T extends string>(names: readonly T[]) =>
  z.string().transform(given => (names.includes(given as T) ? (given as T) : bad(notAmong(given, names))))
const listOf = <T extends string>(names: readonly T[]) =>
  z.union([z.string(), z.array(z.string())]).transform(given => {
    const parts = (typeof given === 'string' ? given.split(',') : given)
      .map(part => part.trim())
      .filter(Boolean)
    for (const part of parts) if (!names.includes(part as T)) bad(notAmong(part, names))
    return parts.length === 0 ? bad(`nothing chosen of ${names.join(', ')}`) : ([...new Set(parts)] as T[])
  })
const names = <T extends object>(registry: T) => Object.keys(registry) as (keyof T & string)[]
const count = size.refine(number => Number.isSafeInteger(number), 'a whole number')
const dollars = decimal.refine(number => number > 0, 'more than 0')
const weight = decimal.refine(number => number >= 0, '0 or more')
const absent = <S extends z.ZodType>(schema: S) => schema.nullable().default(null as never)

/** Every option of `run`, by its name in a config file; the flag is the same in kebab-case. */
export const runOptions = {
  tasks: option('what', 'FILE', text, 'the tasks, in the format of --benchmark'),
  out: option('what', 'RUN', text, "the run's folder; the same one again goes on where it stopped"),
  docs: option(
    'what',
    'DIR',
    absent(text),
    "the tasks' documents by file name (online: only to measure discovery)",
  ),
  benchmark: option(
    'what',
    'NAME',
    oneOf(names(benchmarks)).default('aoe'),
    `${names(benchmarks).join(', ')}`,
  ),
  setting: option(
    'what',
    'LIST',
    listOf(names(settings)).default(names(settings)),
    names(settings).join(','),
  ),
  model: option(
    'what',
    'NAME',
    z.union([text.transform(name => [name]), z.array(text).min(1)]).default(['extractive']),
    'a model under test, PROVIDER:NAME or PROVIDER:NAME@URL; may be given several times',
  ),
  baseUrl: option('what', 'URL', absent(text), "the model's OpenAI-compatible server"),
  trials: option('what', 'N', positive.default(1), 'tries at each task'),
  seed: option('what', 'N', count.default(0), 'of every choice made at random'),
  concurrency: option('what', 'N', positive.default(4), 'attempts that run at a time'),
  limit: option('what', 'N', absent(positive), 'the first N tasks only'),
  filter: option('what', 'TEXT', absent(text), 'only tasks whose id or domain holds TEXT'),

  contextWindow: option('model', 'N', absent(positive), "the model's window in tokens"),
  cut: option(
    'model',
    'HOW',
    oneOf(['even', 'head', 'head-tail']).default('even'),
    'what goes when documents do not fit: even, head, head-tail',
  ),
  temperature: option('model', 'X', decimal.default(0), 'sampling temperature'),
  topP: option('model', 'X', absent(decimal), 'nucleus sampling'),
  maxOutputTokens: option('model', 'N', absent(positive), "cap on each answer's tokens"),
  reasoningEffort: option('model', 'X', absent(text), 'passed to reasoning models: low, medium, high'),
  cot: option(
    'model',
    'LIST',
    listOf(['on', 'off']).default(['on']),
    'chain of thought asked for: on, off, or on,off for both',
  ),
  prompts: option('model', 'FILE', absent(text), "AOE's published prompts (YAML) instead of ours"),
  toolProtocol: option(
    'model',
    'HOW',
    oneOf(['auto', 'native', 'text']).default('auto'),
    'tool calls by the API or through text: auto, native, text',
  ),
  requestTimeout: option(
    'model',
    'TIME',
    duration.default(120_000),
    'for one answer of the model, such as 120s',
  ),
  prices: option('model', 'FILE', absent(text), 'US dollars a million tokens by model, JSON'),

  judge: option(
    'scoring',
    'NAME',
    text.default('rules'),
    'rules, none, or a model (PROVIDER:NAME@URL for a server of its own)',
  ),
  judgeBatch: option(
    'scoring',
    null,
    z.boolean().default(false),
    'ask a judge model for the cells of one column at once, where the profile allows it (strict)',
  ),
  profile: option('scoring', 'NAME', oneOf(names(profiles)).default('aoe'), names(profiles).join(', ')),

  web: option(
    'web',
    'MODE',
    text.default('live'),
    'live, sealed (made of --docs), sealed:CORPUS, replay:DIR',
  ),
  twins: option('web', 'N', count.default(1), 'sealed: look-alikes of each document with altered figures'),
  record: option('web', 'DIR', absent(text), 'keep every request and its answer there'),
  replay: option(
    'web',
    'HOW',
    oneOf(['strict', 'auto']).default('strict'),
    'what a recording lacks is a miss (strict), or fetched and kept (auto)',
  ),
  onReplayMiss: option(
    'web',
    'HOW',
    oneOf(['observe', 'end']).default('observe'),
    'the agent is told of a miss, or the attempt ends: observe, end',
  ),
  faults: option(
    'web',
    'PROFILE',
    absent(text),
    'make the web fail: rate-limited, flaky, slow, anti-bot, stale, or a JSON file',
  ),
  block: option(
    'web',
    'RULES',
    z.union([z.string().transform(rules => rules.split(',').filter(Boolean)), z.array(text)]).default([]),
    "not to be read, beside what publishes the benchmark's answers: HOST, HOST/PATH or *TEXT*, by commas",
  ),
  pageReader: option(
    'web',
    'NAME',
    oneOf(names(pageReaders)).default('own'),
    `makes text of pages: ${names(pageReaders).join(', ')}`,
  ),
  search: option(
    'web',
    'NAME',
    oneOf(names(searchProviders)).default('serper'),
    names(searchProviders).join(', '),
  ),
  browser: option('web', 'PATH', absent(text), "a Chromium for pages that need JavaScript, or 'off'"),

  budgetTokens: option('budgets', 'N', absent(positive), 'tokens sent and received by an attempt'),
  budgetModelCalls: option('budgets', 'N', absent(positive), 'model calls of an attempt'),
  budgetSearchCalls: option('budgets', 'N', absent(positive), 'searches of an attempt'),
  budgetFetchCalls: option('budgets', 'N', absent(positive), 'pages and PDFs fetched by an attempt'),
  budgetWall: option('budgets', 'TIME', absent(duration), 'wall time of an attempt, such as 10m'),
  budgetUsd: option('budgets', 'N', absent(dollars), 'US dollars of an attempt'),
  weightCachedInput: option(
    'budgets',
    'X',
    weight.default(1),
    'what a cached input token counts in budgets of tokens',
  ),
  weightOutput: option('budgets', 'X', weight.default(1), 'what an output token counts in budgets of tokens'),
  runBudgetTokens: option('budgets', 'N', absent(positive), 'tokens of all attempts together'),
  runBudgetUsd: option('budgets', 'N', absent(dollars), 'US dollars of all attempts together'),
  runBudgetSearchCalls: option('budgets', 'N', absent(positive), 'searches of all attempts together'),

  retriever: option(
    'rag',
    'LIST',
    listOf(names(retrievers)).default(['aoe']),
    `${names(retrievers).join(', ')}; several, and each is a variant`,
  ),
  embedder: option('rag', 'NAME', text.default('hash'), names(embedders).join(', ')),
  contextTokens: option(
    'rag',
    'N,…',
    sizes.default([]),
    "tokens of chunks in the prompt in place of the retriever's limits, such as 2k,8k,32k: each a variant",
  ),
  ragQuery: option(
    'rag',
    'HOW',
    oneOf(['task', 'column']).default('task'),
    "the task's query (task), or one for each column that the model states first (column)",
  ),
  controls: option(
    'rag',
    'LIST',
    listOf(names(controls)).default([]),
    `more attempts with as many tokens of other chunks: ${names(controls).join(', ')}`,
  ),
  vectorStore: option(
    'rag',
    'NAME',
    oneOf(names(vectorStores)).default('chroma'),
    names(vectorStores).join(', '),
  ),
  chroma: option('rag', 'URL', absent(text), 'a Chroma server of your own'),

  cache: option('running', 'DIR', absent(text), 'document texts and vectors are kept there'),
  dryRun: option(
    'running',
    null,
    z.boolean().default(false),
    'print what the run would cost at most and what is typical; nothing is asked or spent',
  ),
  json: option('running', null, z.boolean().default(false), 'progress and result as JSON lines'),
} as const satisfies Record<string, OptionSpec>

export type OptionName = keyof typeof runOptions
type Schemas = { [K in OptionName]: (typeof runOptions)[K]['schema'] }

const runSchema = z.strictObject(
  Object.fromEntries(Object.entries(runOptions).map(([name, spec]) => [name, spec.schema])) as Schemas,
)

/** All options, resolved. Times in milliseconds, budgets in their own units. */
export type RunConfig = z.infer<typeof runSchema>
/** What a caller gives: any option may be left out but tasks and out. */
export type RunOptions = z.input<typeof runSchema>

export const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

/** Options as given to the typed config; ConfigError names the flag, what is wrong and the nearest right name. */
export function resolveConfig(given: Readonly<Record<string, unknown>>): RunConfig {
  for (const name of Object.keys(given)) {
    if (!(name in runOptions)) {
      const nearest = nearestName(name, Object.keys(runOptions))
      throw new ConfigError(
        `unknown option '${name}'${nearest === null ? '' : `: did you mean '${nearest}'?`}`,
      )
    }
  }
  const resolved: Record<string, unknown> = {}
  for (const [name, spec] of Object.entries(runOptions)) {
    resolved[name] = resolveOption(name, spec, given[name])
  }
  return resolved as RunConfig
}

function resolveOption(name: string, spec: OptionSpec, given: unknown): unknown {
  try {
    const result = spec.schema.safeParse(given)
    if (result.success) return result.data
    const missing = given === undefined
    throw new ConfigError(
      missing
        ? `missing: give it as ${flagOf(name)} ${spec.value}`
        : (result.error.issues[0]?.message ?? 'not valid'),
    )
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${flagOf(name)}: ${error.message}`)
    throw error
  }
}

/** The caps that an attempt of this setting runs under: those given, else the defaults. */
export function capsFor(config: RunConfig, defaults: BudgetCaps): BudgetCaps {
  const given: Record<string, number | null> = {
    tokens: config.budgetTokens,
    modelCalls: config.budgetModelCalls,
    searchCalls: config.budgetSearchCalls,
    fetchCalls: config.budgetFetchCalls,
    wallMs: config.budgetWall,
    usd: config.budgetUsd,
  }
  const set = Object.entries(given).filter(([, cap]) => cap !== null)
  return { ...defaults, ...Object.fromEntries(set) }
}
