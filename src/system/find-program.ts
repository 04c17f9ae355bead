import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** Where a program is looked for. */
interface ProgramPlaces {
  /** The value of PATH. */
  readonly path: string
  /** The folder from which a path counts. Absent or null: the working folder. */
  readonly cwd?: string | null
}

/** Whether a file exists and this user may run it. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** Returns the path of a program that a name or a path names; null when there is none that this user may run. */
export function findProgram(program: string, { path, cwd }: ProgramPlaces): string | null {
  const places = /[\\/]/.test(program)
    ? [resolve(cwd ?? '.', program)]
    : path.split(delimiter).flatMap(folder => (folder === '' ? [] : [join(folder, program)]))
  return places.find(isProgram) ?? null
}
