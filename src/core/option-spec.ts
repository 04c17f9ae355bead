import type { z } from 'zod/v4'

/** One value that an arm of a run has for an option. */
export interface ArmValue {
  readonly value: unknown
  /** How the variant of the arm names it; null: not at all, because it is the default. */
  readonly shown: string | null
}

/** One option of `run`: its schema takes what a flag or a config file gives and makes the typed value of it. */
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

/** Makes the options of one group. */
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

/** One arm; the variant names a value that is not the default. */
export const oneArm =
  <T>(normal: T) =>
  (value: T): readonly ArmValue[] => [{ value, shown: value === normal ? null : shownValue(value) }]

/** An arm for each element of a list, none of which the variant names when it is the default. */
export const armPerElement =
  <T>(normal: T) =>
  (values: readonly T[]): readonly ArmValue[] =>
    (values.length === 0 ? [normal] : values).flatMap(value => oneArm(normal)(value))

/** Without a server's address: it does not belong to a variant, and records contain no hosts. */
function shownValue(value: unknown): string {
  return String(value).replace(/@.*$/, '')
}
