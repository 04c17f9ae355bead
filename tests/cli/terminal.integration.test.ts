import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { spawnTablehunt, tablehunt } from './cli.ts'

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

it('escapes what could control a terminal in the JSON of a tool call, whose value stays the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-terminal-'))
  await mkdir(join(folder, 'docs'))
  await writeFile(join(folder, 'docs', 'elm.txt'), 'Elm \u202e4,512\u202c beds \u2066in\u2069 Ulm')
  const { code, stdout } = await spawnTablehunt(
    ['tools', 'call', 'web_search', '{"query":"Elm beds"}', '--web', 'sealed', '--docs', 'docs'],
    { cwd: folder },
  ).ended
  expect(code).toBe(0)
  expect(stdout).toContain('\\u202e4,512\\u202c')
  expect(stdout).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  expect(JSON.parse(stdout).text).toContain('\u202e4,512\u202c')
})
