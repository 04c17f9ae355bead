import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { explainError } from '../../src/commands/explain.ts'
import { ConfigError, RunError } from '../../src/core/errors.ts'
import { packageRoot } from '../../src/system/paths.ts'

it('distinguishes wrong input, a failed run and a bug', () => {
  expect(explainError(new ConfigError('--x: no', { code: 'c' }))).toEqual({ line: '--x: no [c]', code: 2 })
  expect(explainError(new RunError('it broke', { code: 'c' }))).toEqual({ line: 'it broke [c]', code: 1 })
  expect(explainError(new ConfigError('no JSON: \u001b[2J', { code: 'c' })).line).toBe('no JSON:  [2J [c]')
  const { line, code } = explainError(new TypeError('x is not a function'))
  expect(line).toMatch(/^a bug in tablehunt: TypeError: x is not a function\n {4}at /)
  expect(code).toBe(1)
})

it('names a path that is a folder or below a file, and does not call it a bug', () => {
  const failure = (act: () => unknown): unknown => {
    try {
      return act()
    } catch (error) {
      return error
    }
  }
  const file = join(packageRoot, 'package.json')
  expect(explainError(failure(() => writeFileSync(packageRoot, 'x')))).toEqual({
    line: `${packageRoot}: is a folder. Name a file. (EISDIR)`,
    code: 2,
  })
  expect(explainError(failure(() => writeFileSync(`${file}/x`, 'x')))).toEqual({
    line: `${file}/x: a part of the path is a file. Name a folder. (ENOTDIR)`,
    code: 2,
  })
})

it.skipIf(!existsSync('/dev/full'))(
  'explains a failure of the machine without a stack (/dev/full, Linux only)',
  () => {
    let full: unknown = null
    try {
      writeFileSync('/dev/full', 'x')
    } catch (error) {
      full = error
    }
    expect(explainError(full)).toEqual({
      line: 'no space is left on the disk (ENOSPC). Free some space, then run the same command again. A run continues where it stopped.',
      code: 1,
    })
  },
)
