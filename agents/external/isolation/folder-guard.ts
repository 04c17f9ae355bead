import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isWithin } from '../../../src/system/paths.ts'

/** Decides whether a folder may be shown to an agent. */
export interface FolderGuard {
  /** Whether it contains the files of several programs: the home folder, one above it, or the temporary folder. */
  isTooWide(folder: string): boolean
  /** Whether it, or something in it, is private to the run. */
  holdsPrivate(folder: string): boolean
}

/** Folders of the home folder that contain the files of several programs, or keys. */
const sharedInHome = [
  '.local',
  '.local/share',
  '.config',
  '.cache',
  '.cargo',
  '.npm',
  'Documents',
  'Downloads',
]

/** @param privatePaths without symbolic links */
export function createGuard(privatePaths: readonly string[]): FolderGuard {
  const home = homedir()
  const wide = [home, tmpdir(), ...sharedInHome.map(name => join(home, name))]
  return {
    isTooWide: folder => wide.some(place => isWithin(place, folder)),
    holdsPrivate: folder => privatePaths.some(path => isWithin(path, folder)),
  }
}
