import type { z } from 'zod/v4'

/** The value of an option in one arm of a run. */
interface ArmValue {
  readonly value: unknown
  /** The value as the arm's options show it; null for the default, which they do not show. */
  readonly shown: string | null
}

/**
 * One option of `run`. Its schema reads the value of a flag, a variable or a config file.
 *
 * @example
 * import { type OptionSpec, optionOf, z } from 'tablehunt'
 *
 * const hops: OptionSpec = optionOf('my setting')('N', z.coerce.number().int().default(2), 'how often the agent asks')
 */
export interface OptionSpec<S extends z.ZodType = z.ZodType> {
  readonly schema: S
  /** The placeholder of the value in --help, in square brackets when the flag needs no value; null for a switch. */
  readonly value: string | null
  readonly help: string
  /** The group of --help that contains the option. */
  readonly group: string
  /** Whether the flag may be given several times. Its values make a list. */
  readonly repeats: boolean
  /**
   * For an option of a setting: returns the arms that a resolved value makes. `oneArm` makes one arm, and
   * `armPerElement` one for each element of a list. Absent when the option makes no arms and no record shows
   * it.
   */
  arms?(value: z.output<S>): readonly ArmValue[]
  /**
   * For an option of a setting: whether it changes an arm that has these values of the options before it. Absent: it
   * changes every arm.
   */
  appliesTo?(options: Readonly<Record<string, unknown>>): boolean
}

/** What an option may have besides its schema. */
type FurtherOfOption<S extends z.ZodType> = Partial<Pick<OptionSpec<S>, 'repeats'>> &
  Pick<OptionSpec<S>, 'appliesTo' | 'arms'>

/** The options of a setting by their names in a config file. */
export type SettingOptions = Readonly<Record<string, OptionSpec>>

/**
 * Returns a function that makes the options of one group of `--help`.
 *
 * @example
 * import { optionOf, z } from 'tablehunt'
 *
 * const option = optionOf('my setting')
 * export const hops = option('N', z.coerce.number().int().default(2), 'how often the agent asks')
 */
export const optionOf =
  (group: string) =>
  <S extends z.ZodType>(
    value: string | null,
    schema: S,
    help: string,
    { repeats = false, ...further }: FurtherOfOption<S> = {},
  ): OptionSpec<S> => ({
    schema,
    value,
    help,
    group,
    repeats,
    ...further,
  })

/**
 * Makes one arm of an option with one value. The record shows the value unless it is the default (`normal`).
 *
 * @example
 * import { oneArm, optionOf, z } from 'tablehunt'
 *
 * const option = optionOf('my setting')
 * export const hops = option('N', z.coerce.number().int().default(2), 'how often the agent asks', { arms: oneArm(2) })
 */
export const oneArm =
  <T>(normal: T) =>
  (value: T): readonly ArmValue[] => [{ value, shown: value === normal ? null : shownValue(value) }]

/**
 * Makes one arm of each value of an option with a list. The record shows the value unless it is the default (`normal`).
 *
 * @example
 * import { armPerElement, optionOf, z } from 'tablehunt'
 *
 * const list = z.string().transform(text => text.split(',')).default(['up'])
 * export const order = optionOf('my setting')('LIST', list, 'up, down', { arms: armPerElement('up') })
 */
export const armPerElement =
  <T>(normal: T) =>
  (values: readonly T[]): readonly ArmValue[] =>
    (values.length === 0 ? [normal] : values).flatMap(value => oneArm(normal)(value))

/** Removes the address of a server, because records contain no hosts. */
function shownValue(value: unknown): string {
  return String(value).replace(/@.*$/, '')
}

/** Options that are lists in a config file, with the name of the flag that adds one entry. */
const singular: Readonly<Record<string, string>> = { plugins: 'plugin' }

/** Returns the flag of an option: `--budget-wall` for `budgetWall`. */
export function flagOf(name: string): string {
  return `--${(singular[name] ?? name).replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}
