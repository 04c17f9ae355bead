import { isAbsolute } from 'node:path'

/** A path of a run's manifest for a message: with the folder that a relative one is looked up in. */
export function placeOf(path: string): string {
  return isAbsolute(path) ? path : `${path} (in ${process.cwd()})`
}
