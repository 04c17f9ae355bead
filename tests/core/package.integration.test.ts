import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

interface LockedPackage {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Whether npm would find `name` from the package at `place`, in its own node_modules or one above. */
function isLocked(packages: Record<string, LockedPackage>, place: string, name: string): boolean {
  if (`${place === '' ? '' : `${place}/`}node_modules/${name}` in packages) return true
  if (place === '') return false
  return isLocked(packages, place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/'))), name)
}

describe('a clean clone', () => {
  it('locks every package that a locked package needs, on any platform, so that npm ci runs', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const packages: Record<string, LockedPackage> = lock.packages
    const missing = Object.entries(packages).flatMap(([place, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter(name => !isLocked(packages, place, name))
        .map(name => `${name} of ${place}`),
    )
    expect(missing).toEqual([])
  })

  it('has no file over a megabyte and no file name that looks like an option', () => {
    const files = execFileSync('git', ['-c', 'core.quotepath=off', 'ls-files', '-z'], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\0')
      .filter(file => file !== '')
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter(file => file.startsWith('-'))).toEqual([])
    const present = files.filter(file => statSync(join(root, file), { throwIfNoEntry: false }) !== undefined)
    expect(present.filter(file => statSync(join(root, file)).size > 1_000_000)).toEqual([])
  })
  it('contains the licence that package.json names, and packs it', () => {
    const { license, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(readFileSync(join(root, 'LICENSE'), 'utf8')).toMatch(new RegExp(`^${license} License`))
    expect(files).toContain('LICENSE')
  })
})
