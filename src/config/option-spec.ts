import type { z } from 'zod/v4'

/** One option of `run`: its schema takes what a flag or a config file gives and makes the typed value of it. */
export interface OptionSpec<S extends z.ZodType = z.ZodType> {
  readonly schema: S
  /** How the value is written in --help; null: a switch. */
  readonly value: string | null
  readonly help: string
  readonly group: string
  /** The flag may be given several times and makes a list. */
  readonly repeats: boolean
}

/** Makes the options of one group. */
export const optionOf =
  (group: string) =>
  <S extends z.ZodType>(
    value: string | null,
    schema: S,
    help: string,
    { repeats = false } = {},
  ): OptionSpec<S> => ({
    schema,
    value,
    help,
    group,
    repeats,
  })
