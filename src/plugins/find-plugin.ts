import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ConfigError } from '../core/errors.ts'
import { packageRoot } from '../system/paths.ts'
import { isObject, jsonOrNull } from '../text/json.ts'

const endings = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']

/** Where a plug-in is. */
export interface FoundPlugin {
  /** The absolute path of its entry file, links resolved. */
  readonly file: string
  /** The package that it is, by its name and version; null: a file of the user's. */
  readonly package: { readonly name: string; readonly version: string } | null
  /** Its name where it does not say one. */
  readonly defaultName: string
}

/** Whether `--plugin` names a file; otherwise a package. */
export function isPluginFile(given: string): boolean {
  return given.startsWith('.') || isAbsolute(given) || endings.includes(extname(given).toLowerCase())
}

/**
 * Finds the file of a plug-in.
 * @param given a path, or the name of a package that is installed in the folder or beside Tablehunt
 * @throws ConfigError [plugin-not-found]
 */
export async function findPlugin(given: string, folder: string): Promise<FoundPlugin> {
  if (!isPluginFile(given)) return await findPackage(given, folder)
  const path = resolve(folder, given)
  const refuse = (why: string): never => {
    throw new ConfigError(`plug-in ${given}: ${why}`, { code: 'plugin-not-found' })
  }
  if (!existsSync(path)) return refuse(`no such file in ${folder}`)
  if (!statSync(path).isFile()) return refuse('is a folder: name the file in it that exports the plug-in')
  if (!endings.includes(extname(path).toLowerCase())) return refuse(`one of ${endings.join(', ')} is read`)
  return { file: realpathSync(path), package: null, defaultName: basename(path, extname(path)) }
}

async function findPackage(name: string, folder: string): Promise<FoundPlugin> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url)
  for (const place of [folder, packageRoot]) {
    const parentURL = pathToFileURL(join(place, 'index.js')).href
    const found = jiti.esmResolve(name, { parentURL, try: true })
    if (found === undefined || found.startsWith('node:')) continue
    const file = realpathSync(found.startsWith('file:') ? fileURLToPath(found) : found)
    return { file, package: packageOf(file, name), defaultName: name }
  }
  throw new ConfigError(
    `plug-in ${name}: no package of that name is installed in ${folder}; a file is written with its folder, such as ./${name}.ts`,
    { code: 'plugin-not-found' },
  )
}

/** By the nearest package.json with a version above the file. */
function packageOf(file: string, name: string): { readonly name: string; readonly version: string } {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    const about = existsSync(path) ? jsonOrNull(readFileSync(path, 'utf8')) : null
    if (isObject(about) && typeof about.version === 'string') return { name, version: about.version }
  }
  return { name, version: '' }
}
