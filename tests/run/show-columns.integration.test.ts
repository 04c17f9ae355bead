import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { promptsVersion } from '../../agents/prompts/words.ts'
import { resolveConfig } from '../../src/config.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'

it('--show-columns shows the model the key columns, and no other columns', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-columns-'))
  const script = join(folder, 'turns.jsonl')
  await writeFile(script, `${JSON.stringify({ turns: [{ text: '```csv\na,b\n1,2\n```' }] })}\n`)
  const asked = async (showColumns: boolean): Promise<string> => {
    const out = join(folder, String(showColumns))
    const given = { out, showColumns, setting: 'offline', filter: 'demo-growth', limit: 1 }
    await executeRun(
      resolveConfig({
        ...given,
        tasks: demoPaths.tasks,
        docs: demoPaths.documents,
        model: [`scripted:${script}`],
      }),
    )
    const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))
    expect(manifest.prompts).toBe(promptsVersion)
    const blobs = join(out, 'traces', 'blobs')
    const texts = await Promise.all((await readdir(blobs)).map(name => readFile(join(blobs, name), 'utf8')))
    return texts.find(text => text.startsWith('# Question')) ?? ''
  }
  const shown = await asked(true)
  const sentence = '# Key columns\nThe first columns identify a row. Name them exactly: Filename\n'
  expect(shown).toContain(sentence)
  expect(shown.replace(`${sentence}\n`, '')).toBe(await asked(false))
})
