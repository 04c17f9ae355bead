import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'
import { tablehunt } from './cli.ts'

it('ends without a message when its reader closes the pipe', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-reader-'))
  const log = join(folder, 'log.jsonl')
  const messages = Array.from({ length: 400 }, () => ({ role: 'assistant', content: 'x'.repeat(3000) }))
  await writeFile(log, JSON.stringify({ id: 'a', termination: 'agent/answered', messages }))
  const out = join(folder, 'run')
  expect(await tablehunt(['logs', 'import', 'generic', log, '--out', out])).toMatchObject({ code: 0 })
  const bin = join(packageRoot, 'bin', 'tablehunt.js')
  const line = 'set -o pipefail; "$0" "$1" logs show "$2" a --json | head -c 10'
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line, process.execPath, bin, out])
  expect({ stdout, stderr }).toEqual({ stdout: '{"seq":0,"', stderr: '' })
})

it.skipIf(!existsSync('/dev/full'))(
  'continues when the progress log is on a full disk, but not when the results are (/dev/full, Linux only)',
  () => {
    const bin = join(packageRoot, 'bin', 'tablehunt.js')
    const into = (target: string) =>
      spawnSync('bash', ['-c', `"$0" "$1" info models ${target}`, process.execPath, bin])
    expect(into('2>/dev/full').status).toBe(0)
    const { status, stderr } = into('>/dev/full')
    expect(status).toBe(1)
    expect(stderr.toString()).toMatch(/^tablehunt: standard output: no space is left on the disk/)
    const wrong = spawnSync('bash', ['-c', '"$0" "$1" report nowhere 2>/dev/full', process.execPath, bin])
    expect(wrong.status).toBe(2)
  },
)
