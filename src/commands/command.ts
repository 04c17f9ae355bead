import type { Command } from 'commander'

/** Adds arguments, options and action to a command. Large modules are imported when the action runs. */
export type RegisterCommand = (command: Command, setExitCode: (code: number) => void) => void
