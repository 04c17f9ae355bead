import { z } from 'zod'
import type { OptionSpec } from './config/option-spec.ts'
import { budgetsOptions } from './config/options/budgets.ts'
import { modelOptions } from './config/options/model.ts'
import { ragOptions } from './config/options/rag.ts'
import { runningOptions } from './config/options/running.ts'
import { scoringOptions } from './config/options/scoring.ts'
import { webOptions } from './config/options/web.ts'
import { whatOptions } from './config/options/what.ts'
import { ConfigError } from './core/errors.ts'
import { nearestName } from './core/nearest.ts'

/** Every option of `run`, by its name in a config file; the flag is the same in kebab-case. */
export const runOptions = {
  ...whatOptions,
  ...modelOptions,
  ...scoringOptions,
  ...webOptions,
  ...budgetsOptions,
  ...ragOptions,
  ...runningOptions,
} as const satisfies Record<string, OptionSpec>

/** The name of an option, as in a config file. */
export type OptionName = keyof typeof runOptions
type Schemas = { [K in OptionName]: (typeof runOptions)[K]['schema'] }

const runSchema = z.strictObject(
  Object.fromEntries(Object.entries(runOptions).map(([name, spec]) => [name, spec.schema])) as Schemas,
)

/** All options, resolved. Times in milliseconds, budgets in their own units. */
export type RunConfig = z.infer<typeof runSchema>
/** What a caller gives: any option may be left out but tasks and out. */
export type RunOptions = z.input<typeof runSchema>

/** `--budget-wall` of `budgetWall`. */
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
