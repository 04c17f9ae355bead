import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tablehunt } from './cli.ts'

it("prints no control character of another agent's log", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-terminal-'))
  const log = join(folder, 'log.jsonl')
  const lines = ['{"id":1,"termination":"gave up \\u001b]0;pwned\\u0007"}', '{"id":\u001b[2J}']
  await writeFile(log, lines.join('\n'))
  const finished = await tablehunt(['logs', 'import', 'generic', log, '--out', join(folder, 'run')])
  expect(finished).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 attempt -> /) })
  expect(finished.stderr).toContain('unmapped, its words kept: gave up  ]0;pwned  (1)')
  expect(finished.stderr).not.toMatch(/[^\P{Cc}\n]/u)
})
