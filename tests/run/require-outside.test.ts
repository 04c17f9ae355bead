import { mkdir, mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requireOutside } from '../../src/system/files.ts'

it.each([
  [
    true,
    ['documents', 'documents/runs/one', 'link', 'link/run', 'documents/..run'],
    ['.', 'run', 'documents2'],
  ],
  [false, ['documents', 'documents/', 'link'], ['.', 'documents/run', 'link/run', 'documents2']],
])(
  'refuses an output folder %s levels inside the documents, also through symbolic links',
  async (deep, inside, outside) => {
    const folder = await mkdtemp(join(tmpdir(), 'tablehunt-outside-'))
    const documents = join(folder, 'documents')
    await mkdir(documents)
    await symlink(documents, join(folder, 'link'))
    const require = (path: string | null) => () => requireOutside('--out', path, documents, { deep })
    for (const path of inside) expect(require(join(folder, path))).toThrow(/^--out .*are read as documents/)
    for (const path of [...outside, 'documents/../run']) expect(require(join(folder, path))).not.toThrow()
    expect(require(null)).not.toThrow()
    expect(() => requireOutside('--out', documents, null, { deep })).not.toThrow()
  },
)
