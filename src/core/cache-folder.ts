import { homedir, tmpdir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * Where document texts and vectors are kept between runs: the folder of --cache, otherwise below XDG_CACHE_HOME,
 * otherwise below the home folder, and in the temporary folder for a user without a home.
 */
export function cacheFolder(given: string | null, env: NodeJS.ProcessEnv): string {
  if (given !== null) return given
  // One that is empty or relative counts as not set (XDG Base Directory Specification).
  const base = env.XDG_CACHE_HOME ?? ''
  if (isAbsolute(base)) return join(base, 'tablehunt')
  const home = homeFolder()
  return home === null ? temporaryCacheFolder() : join(home, '.cache', 'tablehunt')
}

/** The same folder for all commands of a user, so that a run that goes on finds what it kept. */
export function temporaryCacheFolder(): string {
  return join(tmpdir(), `tablehunt-cache-${process.getuid?.() ?? 'user'}`)
}

/** Null for a user whom the system does not know, as in a container that runs under a number. */
function homeFolder(): string | null {
  try {
    // HOME may be empty, which would put the cache into the folder of the call.
    return isAbsolute(homedir()) ? homedir() : userInfo().homedir
  } catch {
    return null
  }
}
