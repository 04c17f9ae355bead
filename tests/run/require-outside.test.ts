import { mkdir, mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requireOutside } from '../../src/run/require-outside.ts'

it('refuses the folder of documents and what lies in it, through links too, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-outside-'))
  const documents = join(folder, 'documents')
  await mkdir(documents)
  await symlink(documents, join(folder, 'link'))
  for (const inside of ['documents', 'documents/runs/one', 'link', 'link/run', 'documents/..run'])
    expect(() => requireOutside('--out', join(folder, inside), documents)).toThrow(/^--out .*lies in/)
  for (const outside of ['.', 'run', 'documents2', 'documents/../run'])
    expect(() => requireOutside('--out', join(folder, outside), documents)).not.toThrow()
  expect(() => requireOutside('--out', documents, null)).not.toThrow()
  expect(() => requireOutside('--cache', null, documents)).not.toThrow()
})
