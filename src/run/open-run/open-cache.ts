import { lstat, mkdir } from 'node:fs/promises'
import { ConfigError } from '../../core/errors.ts'
import { requireWritable } from '../../system/files.ts'
import { cacheFolder, temporaryCacheFolder } from '../../system/paths.ts'
import { readFirstLine } from '../../text/plain-text.ts'

/** What decides where the cache is. */
export interface CacheInput {
  /** The folder of --cache; null without the flag. */
  readonly cache: string | null
  readonly env: NodeJS.ProcessEnv
  /** Receives a line when a temporary folder is used. */
  readonly tell?: ((line: string) => void) | undefined
}

/**
 * Creates the cache folder and returns its path. When the default folder cannot be written (a container without HOME, a
 * read-only disk), returns a temporary folder of this user and reports it.
 *
 * @throws ConfigError [folder-not-writable] when the folder of --cache, or every default folder, cannot be written
 */
export async function openCache({ cache, env, tell }: CacheInput): Promise<string> {
  const folder = cacheFolder(cache, env)
  if (cache !== null) {
    await requireWritable('--cache', folder)
    return folder
  }
  const temporary = temporaryCacheFolder()
  const problem = folder === temporary ? 'this user has no home folder' : await findProblem(folder)
  if (problem === null) return folder
  // Readable by this user only, because it contains the texts of documents.
  await mkdir(temporary, { mode: 0o700 }).catch(() => undefined)
  if ((await findProblem(temporary)) !== null || !(await isOurs(temporary)))
    throw new ConfigError(`${problem}, and ${temporary} cannot be used. Name a folder with --cache.`, {
      code: 'folder-not-writable',
    })
  const cause = folder === temporary ? problem : `${folder} cannot be written`
  tell?.(`cache: ${cause}, so ${temporary} is used. Name a permanent folder with --cache.`)
  return temporary
}

async function findProblem(folder: string): Promise<string | null> {
  return await requireWritable('--cache', folder).then(() => null, readFirstLine)
}

/** Returns false for a folder or link that another user created in a shared place. */
async function isOurs(folder: string): Promise<boolean> {
  const entry = await lstat(folder)
  return entry.isDirectory() && (process.getuid === undefined || entry.uid === process.getuid())
}
