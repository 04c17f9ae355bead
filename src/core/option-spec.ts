import type { z } from 'zod/v4'

/** One value that an arm of a run has for an option. */
export interface ArmValue {
  readonly value: unknown
  /** How the variant of the arm names it; null: not at all, because it is the default. */
  readonly shown: string | null
}

/**
 * One option of `run`: its schema takes what a flag or a config file gives and makes the typed value of it.
 *
 * @example
 * import { type OptionSpec, optionOf, z } from 'tablehunt'
 *
 * const hops: OptionSpec = optionOf('my setting')('N', z.coerce.number().int().default(2), 'how often the agent asks')
 */
export interface OptionSpec<S extends z.ZodType = z.ZodType> {
  readonly schema: S
  /** How the value is written in --help; null: a switch. */
  readonly value: string | null
  readonly help: string
  readonly group: string
  /** The flag may be given several times and makes a list. */
  readonly repeats: boolean
  /**
   * An option of a setting: the arms that a resolved value makes, each with its value. `oneArm` names a value that differs
   * from the default, `armPerElement` makes an arm of each element of a list. Absent: no variant names the option.
   */
  arms?(value: z.output<S>): readonly ArmValue[]
}

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
    {
      repeats = false,
      arms,
    }: { readonly repeats?: boolean; arms?(value: z.output<S>): readonly ArmValue[] } = {},
  ): OptionSpec<S> => ({
    schema,
    value,
    help,
    group,
    repeats,
    ...(arms === undefined ? {} : { arms }),
  })

/**
 * For an option with one value: one arm, whose variant names the value unless it is the default (`normal`).
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
 * For an option with a list of values: one arm for each. The variant does not name the default (`normal`).
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

/** Without a server's address: it does not belong to a variant, and records contain no hosts. */
function shownValue(value: unknown): string {
  return String(value).replace(/@.*$/, '')
}

/** Lists of a config file whose flag names one entry at a time. */
const singular: Readonly<Record<string, string>> = { plugins: 'plugin' }

/** `--budget-wall` of `budgetWall`. */
export function flagOf(name: string): string {
  return `--${(singular[name] ?? name).replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}
