import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
