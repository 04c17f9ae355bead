import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot, packageVersion } from '../../system/paths.ts'
import { runProgram } from '../../system/run-program.ts'

/** Returns the package's version; in a git checkout with the commit, such as `0.1.0+COMMIT`. */
export async function readCodeVersion(): Promise<string> {
  if (!existsSync(join(packageRoot, '.git'))) return packageVersion
  try {
    const { stdout } = await runProgram('git', ['-C', packageRoot, 'rev-parse', 'HEAD'], 5_000)
    return `${packageVersion}+${stdout.trim()}`
  } catch {
    // Git is not installed, or the checkout belongs to another user.
    return packageVersion
  }
}
