import { optionsText, optionText } from '../../core/arm.ts'
import { groupBy } from './entries.ts'

/** Options whose values say what they are, so that their names are left out. */
const plainOptions = new Set(['retriever', 'embedder', 'vector-store', 'control', 'agent', 'context-policy'])

/**
 * Writes an option in a few characters: `bm25` for the retriever, `4k` for the tokens of context, the name of a compared
 * run without its number, else `cot=off`.
 */
export function shortOption([name, value]: readonly [string, string]): string {
  if (name === 'context-tokens') return /000$/.test(value) ? `${value.slice(0, -3)}k` : `${value} tokens`
  if (name === 'run') return value.slice(value.indexOf(':') + 1)
  return plainOptions.has(name) ? value : `${name}=${value}`
}

/** An arm to be named. */
interface NamedArm {
  readonly setting: string
  readonly options: Readonly<Record<string, string>>
}

/**
 * Returns the options that all arms of a setting share, by setting, as `name=value`. A setting with one arm shares none:
 * its options say what was run.
 */
export function sharedOptions(arms: readonly NamedArm[]): ReadonlyMap<string, ReadonlySet<string>> {
  const bySetting = groupBy(arms, ({ setting }) => setting)
  return new Map(
    [...bySetting].map(([setting, own]) => {
      const combinations = new Set(own.map(({ options }) => optionsText(options)))
      const [first = [], ...others] = own.map(({ options }) => Object.entries(options).map(optionText))
      const isShared = (option: string): boolean => others.every(options => options.includes(option))
      return [setting, new Set(combinations.size === 1 ? [] : first.filter(isShared))]
    }),
  )
}

/** Returns the names of the settings' arms by what differs within a setting: `rag bm25 4k oracle`. */
export function shortNameOf(arm: NamedArm, shared: ReadonlyMap<string, ReadonlySet<string>>): string {
  const own = Object.entries(arm.options).filter(
    option => shared.get(arm.setting)?.has(optionText(option)) !== true,
  )
  return [arm.setting, ...own.map(shortOption)].join(' ')
}
