import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../src/system/files.ts'

it('creates folders below a missing one in concurrent calls', async () => {
  for (let round = 0; round < 100; round++) {
    const base = await mkdtemp(join(tmpdir(), 'tablehunt-folders-'))
    const paths = Array.from({ length: 8 }, (_, index) => join(base, 'a', 'b', String(index), 'c'))
    const made = await Promise.allSettled(paths.map(makeFolder))
    expect(made.filter(({ status }) => status === 'rejected')).toEqual([])
    await rm(base, { recursive: true })
  }
})
