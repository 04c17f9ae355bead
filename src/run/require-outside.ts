import { existsSync, realpathSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { ConfigError } from '../core/errors.ts'

/**
 * ConfigError where what `flag` names is the folder of documents or lies in it: what is written there would be read, and
 * served, as documents. Either may be null, and a symbolic link.
 */
export function requireOutside(flag: string, path: string | null, documents: string | null): void {
  if (path === null || documents === null || !isWithin(realPath(path), realPath(documents))) return
  throw new ConfigError(
    `${flag} ${path}: lies in ${documents}, whose files are read as documents; name a folder outside it with ${flag}`,
  )
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way.split(sep)[0] !== '..'
}

/** Of what is not there yet, too. */
function realPath(path: string): string {
  const whole = resolve(path)
  if (existsSync(whole)) return realpathSync(whole)
  return resolve(realPath(dirname(whole)), relative(dirname(whole), whole))
}
