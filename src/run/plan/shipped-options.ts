import { existsSync } from 'node:fs'
import { isNamedSet } from '../../../agents/prompts/load.ts'
import { shippedProfiles } from '../../../tools/web/fault-profile.ts'
import type { OptionName, RunConfig } from '../../config.ts'

/**
 * Adds a path to what another machine receives. Returns the text that replaces it in the options.
 *
 * @param only the names of the files of a folder that are needed; absent for all
 */
export type AddPath = (path: string, only?: ReadonlySet<string>) => Promise<string>
/** Ships the files that the value of an option names. Returns the value for another machine. */
type ShipValue = (value: string, add: AddPath, names: ReadonlySet<string> | null) => Promise<string>

const shipPath: ShipValue = (value, add) => add(value)

/** Ships a value `PREFIX:PATH`, such as `scripted:turns.jsonl`. Other values name no file. */
const shipPrefixedPath =
  (prefix: RegExp): ShipValue =>
  async (value, add) => {
    const match = prefix.exec(value)
    return match === null ? value : `${match[0]}${await add(value.slice(match[0].length))}`
  }

/** The options that name files, and how to ship each. */
export const shippedOptions: Readonly<Partial<Record<OptionName, ShipValue>>> = {
  tasks: shipPath,
  docs: (value, add, names) => add(value, names ?? undefined),
  prompts: async (value, add) => (isNamedSet(value) ? value : await add(value)),
  prices: shipPath,
  model: shipPrefixedPath(/^scripted:/),
  judge: shipPrefixedPath(/^scripted:/),
  readerModel: shipPrefixedPath(/^scripted:/),
  judgePrompts: shipPath,
  web: shipPrefixedPath(/^(?:sealed|replay):/),
  forks: shipPath,
  faults: async (value, add) => ((await shippedProfiles()).includes(value) ? value : await add(value)),
  embedder: async (value, add) => {
    const path = value.slice('onnx:'.length)
    return value.startsWith('onnx:') && existsSync(path) ? `onnx:${await add(path)}` : value
  },
}

/**
 * Calls a function for every path in the options of a run, and returns these options with what it returned.
 *
 * @param adderFor returns the function for an option
 * @param names the names of the documents that are needed; null for all
 */
export async function replacePaths(
  config: object,
  adderFor: (option: OptionName) => AddPath,
  names: ReadonlySet<string> | null = null,
): Promise<Record<string, unknown>> {
  const replaced: Record<string, unknown> = {}
  for (const [name, ship] of Object.entries(shippedOptions)) {
    const [value, add] = [(config as Partial<RunConfig>)[name as OptionName], adderFor(name as OptionName)]
    if (typeof value === 'string') replaced[name] = await ship(value, add, names)
    else if (Array.isArray(value)) {
      const texts: string[] = []
      for (const text of value) texts.push(await ship(String(text), add, names))
      replaced[name] = texts
    }
  }
  return replaced
}

/** Options that each machine has values of its own for. */
export const localOptions = {
  out: '',
  cache: null,
  browser: null,
  queue: null,
  queueSecret: null,
  plugins: [],
} as const satisfies Partial<Record<OptionName, unknown>>

/**
 * Returns the options of a run without the values that each machine has of its own. A run that uses no browser keeps saying so.
 */
export function withoutLocalOptions(config: object): Record<string, unknown> {
  const local = Object.entries(localOptions).filter(
    ([name]) => name in config && (config as Partial<RunConfig>)[name as OptionName] !== 'off',
  )
  return { ...config, ...Object.fromEntries(local) }
}
