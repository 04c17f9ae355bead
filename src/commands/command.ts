import type { Command } from 'commander'

/** Gives one command its arguments, options and action; heavy modules are imported when the action runs. */
export type RegisterCommand = (command: Command, setExitCode: (code: number) => void) => void
