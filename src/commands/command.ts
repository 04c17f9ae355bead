import type { Command } from 'commander'

/** Adds one command to the program; heavy modules are imported when its action runs. */
export type RegisterCommand = (program: Command, setExitCode: (code: number) => void) => void
