import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Where document texts and vectors are kept between runs: --cache, else below XDG_CACHE_HOME, else below the home folder. */
export function cacheFolder(given: string | null, env: NodeJS.ProcessEnv): string {
  const base = env.XDG_CACHE_HOME ?? ''
  // One that is empty or relative counts as not set (XDG Base Directory Specification).
  return given ?? join(isAbsolute(base) ? base : join(homeFolder(), '.cache'), 'tablehunt')
}

/** HOME may be empty, which would put the cache into the folder of the call. */
function homeFolder(): string {
  return isAbsolute(homedir()) ? homedir() : userInfo().homedir
}
