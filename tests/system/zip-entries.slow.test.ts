import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openZipFile } from '../../src/system/zip.ts'
import { writeZip } from '../../src/system/zip-writer.ts'

it('writes and reads more files than the old form of archives can have', () => {
  const files = Object.fromEntries(Array.from({ length: 66_000 }, (_, at) => [`f${at}`, String(at)]))
  const path = join(mkdtempSync(join(tmpdir(), 'tablehunt-zip-')), 'archive.zip')
  writeFileSync(path, writeZip(files))
  const archive = openZipFile(path, 100)
  expect([archive.entries, archive.files.size]).toEqual([66_000, 66_000])
  expect(archive.files.get('f65999')!.text()).toBe('65999')
  archive.close()
})
