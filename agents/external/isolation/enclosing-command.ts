import type { ShownPath } from './visible-files.ts'

/** A file or folder of this machine that an enclosed program sees. */
export interface Mount extends ShownPath {
  readonly access: 'read' | 'write'
}

/** A program and what it may see and use. */
export interface ProgramToEnclose {
  /** A name that no other attempt of this machine has. */
  readonly name: string
  readonly program: readonly string[]
  /** In this order: a later one covers an earlier one. */
  readonly mounts: readonly Mount[]
  readonly cwd: string
  /** The home folder; null: that of this process. */
  readonly home: string | null
  readonly memoryMb: number
  readonly processes: number
}

/** A command line that encloses a program. */
export interface EnclosingCommand {
  readonly command: readonly string[]
  /** What the command reads from the descriptor; null: nothing. */
  readonly argumentList: string | null
}

/** Builds the command line that encloses a program. It may read its arguments from the descriptor when there is one. */
export type BuildEnclosingCommand = (program: ProgramToEnclose, descriptor: number | null) => EnclosingCommand
