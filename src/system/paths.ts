import { existsSync, readFileSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package's own folder, found upward from this file: the same from source and from dist. */
export const packageRoot: string = (() => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
})()

/** A worker thread needs built JavaScript, whether we run from source (tests) or from dist. */
export function builtModule(relativePath: string): string {
  return join(packageRoot, 'dist', relativePath)
}

/** As package.json has it. */
export const packageVersion: string = (
  JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
).version

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
