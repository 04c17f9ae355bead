import { readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pluginFields } from '../../src/plugins/plugin-kinds.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { tablehunt } from '../cli/cli.ts'
import { stepsOf } from './shell-blocks.ts'

const page = readFileSync(join(packageRoot, 'docs', 'plugins.md'), 'utf8')

it('runs as printed: a plug-in is written and its tool is called', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'tablehunt-page-'))
  const steps = stepsOf(page)
  for (const step of steps) if (step.kind === 'file') await writeFile(join(cwd, step.path), step.text)
  const call = steps.find(step => step.kind === 'command')!
  const { code, stdout, stderr } = await tablehunt(call.args, { cwd })
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, text: '9 EUR' })
})

it('has a row for every field of a plug-in', () => {
  const rows = [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(hit => hit[1])
  expect(rows).toEqual(expect.arrayContaining(Object.keys(pluginFields)))
})
