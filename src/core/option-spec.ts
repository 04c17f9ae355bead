import type { z } from 'zod/v4'

/** The value of an option in one arm of a run. */
interface ArmValue {
  readonly value: unknown
  /** The value as the arm's options show it; null for the default, which they do not show. */
  readonly shown: string | null
}

/** A command besides `run` and `info config`, which take every option. */
export type OptionCommand =
  | 'demo'
  | 'logs import'
  | 'report'
  | 'score'
  | 'tasks'
  | 'tools call'
  | 'tools serve'
  | 'web recall'

/** What an option does besides its value. */
export interface OptionFacts {
  /**
   * `results`: the option changes results, so a resumed run needs the same value. `course`: it only changes how a run is
   * carried out. `display`: it only changes what is printed.
   */
  readonly changes: 'course' | 'display' | 'results'
  /**
   * How a run records an option that changes results. `contents`: by hashes and facts of the files, servers and programs
   * that it names, because the same ones may have another path or address.
   */
  readonly recordedBy: 'contents' | 'value'
  /** The settings whose attempts a comparison puts into separate rows when runs differ in the option. */
  readonly separates: 'all' | readonly string[]
  /** `common`: `run --help` shows the flag. `further`: `run --help all` does. `none`: only a config file sets the option. */
  readonly flag: 'common' | 'further' | 'none'
  readonly commands: readonly OptionCommand[]
  /** Whether the flag may be repeated. Its values make a list. */
  readonly repeats: boolean
}

/**
 * One option of `run`. Its schema reads the value of a flag, a variable or a config file.
 *
 * @example
 * import { defineOption, type OptionSpec, z } from 'tablehunt'
 *
 * const hops: OptionSpec = defineOption('my setting')('N', z.coerce.number().int().default(2), 'how often the agent asks')
 */
export interface OptionSpec<S extends z.ZodType = z.ZodType> extends OptionFacts, OptionArms<S> {
  readonly schema: S
  /** The placeholder of the value in --help, in square brackets when the flag needs no value; null for a switch. */
  readonly value: string | null
  readonly help: string
  /** The group of --help that contains the option. */
  readonly group: string
}

/** How an option splits a run into arms. */
export interface OptionArms<S extends z.ZodType = z.ZodType> {
  /**
   * Returns the arms that a resolved value makes. `oneArm` makes one arm, and `armPerElement` one for each element of a
   * list. Absent when the option makes no arms and the records of attempts do not show it.
   */
  arms?(value: z.output<S>): readonly ArmValue[]
  /**
   * For an option of a setting: whether it changes an arm that has these values of the options before it. Absent: it
   * changes every arm.
   */
  appliesTo?(options: Readonly<Record<string, unknown>>): boolean
}

/** The options of a setting by their names in a config file. */
export type SettingOptions = Readonly<Record<string, OptionSpec>>

const usualFacts: OptionFacts = {
  changes: 'results',
  recordedBy: 'value',
  separates: 'all',
  flag: 'further',
  commands: [],
  repeats: false,
}

/**
 * Returns a function that makes the options of one group of `--help`.
 *
 * @param groupFacts facts of all options of the group, which an option can override
 * @example
 * import { defineOption, z } from 'tablehunt'
 *
 * const option = defineOption('my setting')
 * export const hops = option('N', z.coerce.number().int().default(2), 'how often the agent asks')
 */
export const defineOption =
  (group: string, groupFacts: Partial<OptionFacts> = {}) =>
  <S extends z.ZodType>(
    value: string | null,
    schema: S,
    help: string,
    facts: Partial<OptionFacts> & OptionArms<S> = {},
  ): OptionSpec<S> => ({ ...usualFacts, ...groupFacts, schema, value, help, group, ...facts })

/**
 * Makes one arm of an option with one value. The record shows the value unless it is the default (`normal`).
 *
 * @example
 * import { defineOption, oneArm, z } from 'tablehunt'
 *
 * const option = defineOption('my setting')
 * export const hops = option('N', z.coerce.number().int().default(2), 'how often the agent asks', { arms: oneArm(2) })
 */
export const oneArm =
  <T>(normal: T) =>
  (value: T): readonly ArmValue[] => [{ value, shown: value === normal ? null : describeArmValue(value) }]

/**
 * Makes one arm of each value of an option with a list. The record shows the value unless it is the default (`normal`).
 *
 * @example
 * import { armPerElement, defineOption, z } from 'tablehunt'
 *
 * const list = z.string().transform(text => text.split(',')).default(['up'])
 * export const order = defineOption('my setting')('LIST', list, 'up, down', { arms: armPerElement('up') })
 */
export const armPerElement =
  <T>(normal: T) =>
  (values: readonly T[]): readonly ArmValue[] =>
    (values.length === 0 ? [normal] : values).flatMap(value => oneArm(normal)(value))

/** Writes a value without the address of a server, because records contain no hosts. */
function describeArmValue(value: unknown): string {
  return String(value).replace(/@.*$/, '')
}

/** Options that are lists in a config file, with the name of the flag that adds one entry. */
const singular: Readonly<Record<string, string>> = { plugins: 'plugin' }

/** Returns the flag of an option: `--budget-wall` for `budgetWall`. */
export function formatFlag(name: string): string {
  return `--${(singular[name] ?? name).replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}
