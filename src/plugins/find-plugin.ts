import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ConfigError } from '../core/errors.ts'
import { packageRoot } from '../system/paths.ts'
import { isObject, parseJsonOrNull } from '../text/json.ts'

const endings = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']

/** The place of a plug-in. */
export interface FoundPlugin {
  /** The absolute path of its entry file, with links resolved. */
  readonly file: string
  /** Name and version of its package; null when it is a single file. */
  readonly package: { readonly name: string; readonly version: string } | null
  /** Its name when the plug-in does not have one. */
  readonly defaultName: string
}

/** Whether a value of `--plugin` names a file. Otherwise it names a package. */
export function isPluginFile(text: string): boolean {
  return text.startsWith('.') || isAbsolute(text) || endings.includes(extname(text).toLowerCase())
}

/**
 * Finds the file of a plug-in.
 *
 * @param pluginName a path, or the name of a package that is installed in the folder or beside Tablehunt
 * @param folder the folder to which paths are relative
 * @throws ConfigError [plugin-not-found]
 */
export async function findPlugin(pluginName: string, folder: string): Promise<FoundPlugin> {
  if (!isPluginFile(pluginName)) return await findPackage(pluginName, folder)
  const path = resolve(folder, pluginName)
  const refuse = (why: string): never => {
    throw new ConfigError(`plug-in ${pluginName}: ${why}`, { code: 'plugin-not-found' })
  }
  if (!existsSync(path)) return refuse(`no such file in ${folder}. Correct the path.`)
  if (!statSync(path).isFile()) return refuse('is a folder. Name the file in it that exports the plug-in.')
  if (!endings.includes(extname(path).toLowerCase()))
    return refuse(`the name of the file must end in one of ${endings.join(', ')}`)
  return { file: realpathSync(path), package: null, defaultName: basename(path, extname(path)) }
}

async function findPackage(name: string, folder: string): Promise<FoundPlugin> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url)
  for (const place of [folder, packageRoot]) {
    const parentURL = pathToFileURL(join(place, 'index.js')).href
    const resolved = jiti.esmResolve(name, { parentURL, try: true })
    if (resolved === undefined || resolved.startsWith('node:')) continue
    const file = realpathSync(resolved.startsWith('file:') ? fileURLToPath(resolved) : resolved)
    return { file, package: readPackage(file, name), defaultName: name }
  }
  throw new ConfigError(
    `plug-in ${name}: no package of that name is installed in ${folder}. Install it, or write a file with its folder, such as ./${name}.ts.`,
    { code: 'plugin-not-found' },
  )
}

/** Reads name and version from the nearest package.json above the file that has a version. */
function readPackage(file: string, name: string): { readonly name: string; readonly version: string } {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    const about = existsSync(path) ? parseJsonOrNull(readFileSync(path, 'utf8')) : null
    if (isObject(about) && typeof about.version === 'string') return { name, version: about.version }
  }
  return { name, version: '' }
}
