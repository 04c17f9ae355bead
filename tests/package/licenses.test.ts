import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'

interface LockedPackage {
  readonly dev?: boolean
  readonly license?: string
}

it('installs no package that is available under the GPL, LGPL or AGPL alone', () => {
  const lock = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  const installed = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  expect(installed.length).toBeGreaterThan(20)
  // 'MIT OR GPL' may be taken as MIT.
  const copyleft = installed.filter(
    ([, { license }]) => license === undefined || (/GPL/.test(license) && !license.includes('MIT OR ')),
  )
  expect(copyleft).toEqual([])
})
