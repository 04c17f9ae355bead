import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readNotes, writeNotes } from '../../../src/run/view/notes.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-notes-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('keeps the notes of a run in one file, each tag once', async () => {
  expect(await readNotes(folder)).toEqual({ note: '', tags: [] })
  await writeNotes(folder, { note: '一', tags: ['paper', 'paper', 'draft'] })
  expect(await readNotes(folder)).toEqual({ note: '一', tags: ['paper', 'draft'] })
  expect(await readdir(folder)).toEqual(['notes.json'])
})

it('names the file when its content is not notes', async () => {
  await writeFile(join(folder, 'notes.json'), '{"note": 1}')
  await expect(readNotes(folder)).rejects.toMatchObject({
    code: 'invalid-notes',
    message: expect.stringMatching(/notes\.json: note: .*Correct or delete the file\./),
  })
})
