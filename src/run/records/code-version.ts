import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot, packageVersion } from '../../system/paths.ts'

const run = promisify(execFile)

/** The package's version; in a checkout with its commit, as `0.1.0+COMMIT`. */
export async function codeVersion(): Promise<string> {
  if (!existsSync(join(packageRoot, '.git'))) return packageVersion
  try {
    const { stdout } = await run('git', ['-C', packageRoot, 'rev-parse', 'HEAD'], { timeout: 5_000 })
    return `${packageVersion}+${stdout.trim()}`
  } catch {
    // Without git, or in a checkout of another user: the version alone is known.
    return packageVersion
  }
}
