import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { cacheFolder } from '../../src/system/paths.ts'

it.each([
  ['--cache', 'here', { XDG_CACHE_HOME: '/x' }, 'here'],
  ['XDG_CACHE_HOME', null, { XDG_CACHE_HOME: '/x' }, join('/x', 'tablehunt')],
  ['the home folder', null, {}, join(homedir(), '.cache', 'tablehunt')],
  [
    'the home folder where XDG_CACHE_HOME is empty',
    null,
    { XDG_CACHE_HOME: '' },
    join(homedir(), '.cache', 'tablehunt'),
  ],
  [
    'the home folder where XDG_CACHE_HOME is relative',
    null,
    { XDG_CACHE_HOME: 'x' },
    join(homedir(), '.cache', 'tablehunt'),
  ],
])('keeps the files that runs share below %s', (_place, given, env, expected) => {
  expect(cacheFolder(given, env)).toBe(expected)
})

it('never uses the working folder when HOME is empty', () => {
  vi.stubEnv('HOME', '')
  vi.stubEnv('USERPROFILE', '')
  expect(cacheFolder(null, {})).toBe(join(userInfo().homedir, '.cache', 'tablehunt'))
  vi.unstubAllEnvs()
})
