import { existsSync, readFileSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the package, whether this file runs from its source or from dist. */
export const packageRoot: string = (() => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
})()

/** Returns the path of the built module of a worker thread, which needs JavaScript also when the program runs from source. */
export function builtModule(relativePath: string): string {
  return join(packageRoot, 'dist/bundle', relativePath)
}

/** The version in package.json. */
export const packageVersion: string = (
  JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
).version

/**
 * Returns the folder that keeps document texts and vectors between runs. It is the folder of --cache,
 * otherwise one in XDG_CACHE_HOME, otherwise one in the home folder, otherwise the temporary folder.
 */
export function cacheFolder(folder: string | null, env: NodeJS.ProcessEnv): string {
  if (folder !== null) return folder
  // An empty or relative path counts as not set (XDG Base Directory Specification).
  const base = env.XDG_CACHE_HOME ?? ''
  if (isAbsolute(base)) return join(base, 'tablehunt')
  const home = homeFolder()
  return home === null ? temporaryCacheFolder() : join(home, '.cache', 'tablehunt')
}

/** Returns the temporary folder of the cache. It is the same for all commands of a user, so that a resumed run finds it. */
export function temporaryCacheFolder(): string {
  return join(tmpdir(), `tablehunt-cache-${process.getuid?.() ?? 'user'}`)
}

/** Returns null for a user whom the system does not know, as in a container that runs under a numeric user id. */
function homeFolder(): string | null {
  try {
    // HOME may be empty. The cache would then be in the working folder.
    return isAbsolute(homedir()) ? homedir() : userInfo().homedir
  } catch {
    return null
  }
}

/** Whether an absolute path is a folder or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}
