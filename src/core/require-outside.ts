import { existsSync, realpathSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { ConfigError } from './errors.ts'

/**
 * ConfigError where files written to the folder that `flag` names would be read, and served, as documents: it is the folder
 * of documents or, where folders in that count too (`deep`), lies in it. Either may be null, and a symbolic link.
 */
export function requireOutside(
  flag: string,
  path: string | null,
  documents: string | null,
  { deep }: { readonly deep: boolean },
): void {
  if (path === null || documents === null) return
  const way = relative(realPath(documents), realPath(path))
  if (deep ? way.split(sep)[0] === '..' : way !== '') return
  throw new ConfigError(
    `${flag} ${path}: the files in ${documents} are read as documents; name a folder ${deep ? 'outside' : 'beside'} it with ${flag}`,
  )
}

/** Of what is not there yet, too. */
function realPath(path: string): string {
  const whole = resolve(path)
  if (existsSync(whole)) return realpathSync(whole)
  return resolve(realPath(dirname(whole)), relative(dirname(whole), whole))
}
