import { describeFileOnly, type OptionName, runOptions } from '../config.ts'
import { ConfigError } from '../core/errors.ts'
import { nearestName } from '../core/nearest-name.ts'
import type { OptionSpec } from '../core/option-spec.ts'

const prefix = 'TABLEHUNT_'

/** Variables with the prefix that are not options. */
const otherVariables = /^TABLEHUNT_(?:CHROMIUM|RERANK_)/

/** Returns the variable of an option: `TABLEHUNT_BUDGET_WALL` for `budgetWall`. */
export function formatVariable(name: string): string {
  return prefix + name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()
}

/** The options in the environment. */
export interface EnvironmentOptions {
  readonly options: Readonly<Record<string, unknown>>
  /** A line for each variable that is probably a misspelt option. */
  readonly notices: readonly string[]
}

/**
 * Reads the options in the environment. Empty variables are ignored.
 *
 * @throws ConfigError [invalid-option] for a switch that is neither true nor false, [config-file-only]
 */
export function readEnvironment(env: NodeJS.ProcessEnv): EnvironmentOptions {
  const byVariable = new Map(Object.keys(runOptions).map(name => [formatVariable(name), name as OptionName]))
  const options: Record<string, unknown> = {}
  const notices: string[] = []
  for (const [variable, text] of Object.entries(env)) {
    if (text === undefined || text === '' || !variable.startsWith(prefix)) continue
    const name = byVariable.get(variable)
    if (name !== undefined && runOptions[name].flag === 'none')
      throw new ConfigError(describeFileOnly(variable, name), { code: 'config-file-only' })
    if (name !== undefined) options[name] = readValue(variable, runOptions[name], text)
    else if (!otherVariables.test(variable)) notices.push(...misspelt(variable, [...byVariable.keys()]))
  }
  return { options, notices }
}

function readValue(variable: string, spec: OptionSpec, text: string): unknown {
  if (spec.repeats) return text.split(',').map(part => part.trim())
  if (spec.value !== null) return text
  if (['true', '1'].includes(text)) return true
  if (['false', '0'].includes(text)) return false
  throw new ConfigError(`${variable}: '${text}' is not valid: expected true or false`, {
    code: 'invalid-option',
  })
}

/** Other programs may use names with the prefix, so a misspelt option is only a notice. */
function misspelt(variable: string, known: readonly string[]): string[] {
  const bare = (name: string): string => name.slice(prefix.length)
  const nearest = nearestName(bare(variable), known.map(bare))
  return nearest === null ? [] : [`${variable} is not an option: did you mean ${prefix}${nearest}?`]
}
