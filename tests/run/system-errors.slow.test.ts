import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { prepareCampaign } from '../../bench/parts/campaign.ts'
import { fixedDelayWeb } from '../../bench/parts/fixed-delay-web.ts'
import { RunError, ToolError } from '../../src/core/errors.ts'
import type { Web } from '../../src/run/open-run/web.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { executeRun } from '../../src/run.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { tablehunt } from '../cli/cli.ts'

async function campaign(attempts: number) {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-lack-'))
  const times = { turnMs: 20 }
  return await prepareCampaign({ folder, attempts, steps: 3, concurrency: 2, ...times })
}

/** A web on a machine that after so many requests lacks what the failure says. */
function lackingWeb(requests: number, failure: () => Error): Web {
  const web = fixedDelayWeb(0)
  let sent = 0
  const send: Web['transport']['send'] = async (request, signal) => {
    if (++sent > requests) throw failure()
    return await web.transport.send(request, signal)
  }
  return { ...web, transport: { ...web.transport, send } }
}

/** Deletes a folder to which a run still writes: a file written meanwhile makes a first try fail with ENOTEMPTY. */
const deleteFolder = (out: string) => rm(out, { recursive: true, force: true, maxRetries: 20, retryDelay: 5 })

const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
const noFile = () => {
  const cause = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  return new ToolError('network', 'could not be reached', { infrastructure: true, cause })
}

it.each([
  ['a full disk', full, 'ENOSPC'],
  ['too many open files under a page', noFile, 'could not be reached'],
])(
  '%s ends the run but no attempt, and the same command completes the run',
  async (_what, failure, words) => {
    const config = await campaign(6)
    await expect(executeRun(config, { web: lackingWeb(7, failure) })).rejects.toThrow(words)
    const { attempts } = await readRun(config.out)
    expect(attempts.length).toBeLessThan(6)
    expect(attempts.filter(attempt => attempt.termination.cause !== 'agent')).toEqual([])
    const { left } = await executeRun(config, { web: fixedDelayWeb(0) })
    expect(left).toBe(0)
    const { attempts: made } = await readRun(config.out)
    expect(made.map(attempt => attempt.termination.cause)).toEqual(Array(6).fill('agent'))
  },
)

it.each([
  ['deleted', deleteFolder],
  ['moved', (out: string) => rename(out, `${out}-moved`)],
])(
  'a folder that is %s during its run ends the run with one line, and is not created again',
  async (_how, take) => {
    const config = await campaign(20)
    let taken: Promise<void> | null = null
    const tell = (event: { type: string }) => {
      if (event.type === 'attempt-ended') taken ??= take(config.out)
    }
    const failure = await executeRun(config, { web: fixedDelayWeb(5), tell }).catch((error: unknown) => error)
    await taken
    expect(failure).toBeInstanceOf(RunError)
    expect((failure as Error).message).toContain('was moved or deleted')
    await expect(readFile(config.out)).rejects.toThrow('ENOENT')
  },
)

it('a record that does not fit on the disk leaves no partial line', async () => {
  const { out, tasks, model, cache } = await campaign(24)
  const docs = join(dirname(tasks), 'docs')
  await mkdir(docs)
  for (let task = 0; task < 24; task++)
    for (const part of ['a', 'b'])
      await writeFile(
        join(docs, `group-${String(task).padStart(6, '0')}-${part}.pdf`),
        'Company 0-0 had revenue of 1000.',
      )
  const what = ['--tasks', tasks, '--docs', docs, '--setting', 'offline', '--model', model[0]!]
  const args = ['run', ...what, '--cache', cache!, '--out', out]
  const bin = join(packageRoot, 'bin', 'tablehunt.js')
  const limited = 'ulimit -f 16; exec "$0" "$@"'
  const { status, stderr } = spawnSync('bash', ['-c', limited, process.execPath, bin, ...args])
  expect(stderr.toString()).toMatch(
    /(?:attempts|scores)\.jsonl: the file has reached the size limit \(EFBIG\)\. Raise the limit/,
  )
  expect(status).toBe(1)
  expect(await readFile(join(out, 'scores.jsonl'), 'utf8')).toMatch(/\}\n$/)
  const again = await tablehunt(args)
  expect({ code: again.code, half: again.stderr.includes('half written') }).toEqual({ code: 0, half: false })
  expect((await readRun(out)).attempts).toHaveLength(24)
})
