import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { seededRandom } from '../../src/core/runtime.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { withoutTimes } from '../run/without-times.ts'

/** How often the power is cut on each file system; 50 with TABLEHUNT_CUTS=50. */
const cuts = Number(process.env.TABLEHUNT_CUTS ?? 2)
const attemptsPlanned = 81

/** How each file system is made in a file. xfs needs 300 MB and a table that names it. */
const fileSystems = { ext4: ['mkfs.ext4', '-q', '-F'], xfs: ['mkfs.xfs', '-q', '-f'] }

const mounted: string[] = []
afterEach(() => {
  for (const path of mounted.splice(0)) execFileSync('umount', [path])
})

/** Makes a file system of its own in a file, and mounts it. Null where this process may not, or its tools are missing. */
async function makeFileSystem([make, ...options]: readonly string[]) {
  if (process.getuid?.() !== 0) return null
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-power-'))
  const [image, mount] = [join(folder, 'image'), join(folder, 'mount')]
  await mkdir(mount)
  const attach = (): void => {
    execFileSync('mount', ['-o', 'loop', image, mount], { stdio: 'ignore' })
    mounted.push(mount)
  }
  try {
    execFileSync('truncate', ['-s', '400M', image])
    execFileSync(make!, [...options, image], { stdio: 'ignore' })
    attach()
  } catch {
    return null
  }
  return {
    mount,
    /** Loses everything that was not synced, as a power cut does. */
    cut(): void {
      const shutdown =
        'import fcntl,os,struct,sys;fcntl.ioctl(os.open(sys.argv[1],0),0x8004587d,struct.pack("I",2))'
      execFileSync('python3', ['-c', shutdown, mount])
    },
    restart(): void {
      execFileSync('umount', [mount])
      mounted.pop()
      attach()
    },
  }
}

function start(out: string) {
  const demo = join(packageRoot, 'tasks', 'demo')
  const what = ['--tasks', join(demo, 'tasks.jsonl'), '--docs', join(demo, 'documents'), '--limit', '9']
  const how = ['--web', 'sealed', '--trials', '3', '--browser', 'off', '--date', '2025-01-01', '--out', out]
  const child = spawn(process.execPath, [join(packageRoot, 'bin', 'tablehunt.js'), 'run', ...what, ...how], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.stderr.resume()
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  const attemptsBegan = new Promise<void>(resolve =>
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.includes('attempts ->')) resolve()
    }),
  )
  return { child, ended, attemptsBegan: Promise.race([attemptsBegan, ended]) }
}

async function expectWhole(folder: string): Promise<number> {
  const { attempts, scores } = await readRun(folder)
  const scored = new Set(scores.map(score => score.attemptId))
  for (const { attemptId, answer } of attempts) {
    expect(scored).toContain(attemptId)
    const trace = await readFile(join(folder, 'traces', `${attemptId}.jsonl`), 'utf8')
    expect(trace).toContain('"type":"terminated"')
    for (const [, hash] of trace.matchAll(/"(?:blob|sight)":"([0-9a-f]{64})"/g)) {
      const text = await readFile(join(folder, 'traces', 'blobs', hash!))
      expect(createHash('sha256').update(text).digest('hex')).toBe(hash)
    }
    if (answer.parseStatus === 'none') continue
    expect(await readFile(join(folder, 'answers', `${attemptId}.txt`), 'utf8')).not.toBe('')
  }
  return attempts.length
}

/** Waits until the run has so many records; 0 waits for none. Ends with the run. */
async function waitForRecords(folder: string, count: number, ended: Promise<unknown>): Promise<void> {
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  while (!hasEnded) {
    const text = await readFile(join(folder, 'attempts.jsonl'), 'utf8').catch(() => '')
    if (text.split('\n').length - 1 >= count) return
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}

it.for(Object.entries(fileSystems))(
  'keeps every recorded attempt whole through power cuts on %s, and resumes to the records of an undisturbed run',
  { timeout: 3_600_000 },
  async ([kind, make], { skip }) => {
    const fileSystem = await makeFileSystem(make)
    if (fileSystem === null) return skip(`no ${kind} file system can be made and mounted here`)
    const { mount, cut, restart } = fileSystem
    const reference = join(await mkdtemp(join(tmpdir(), 'tablehunt-power-')), 'run')
    expect(await start(reference).ended).toBe(0)
    const expected = (await readRun(reference)).attempts.map(withoutTimes)
    expect(expected).toHaveLength(attemptsPlanned)
    const random = seededRandom(Number(process.env.TABLEHUNT_SEED ?? 41))
    for (let number = 0; number < cuts; number++) {
      const out = join(mount, 'run')
      await rm(out, { recursive: true, force: true })
      const run = start(out)
      await run.attemptsBegan
      // Attempts end in groups: a cut at a random record, and up to a tenth of a second later.
      await waitForRecords(out, Math.floor(random() * attemptsPlanned), run.ended)
      await new Promise(resolve => setTimeout(resolve, random() * 100))
      cut()
      run.child.kill('SIGKILL')
      await run.ended
      restart()
      await expectWhole(out).catch((error: unknown) => {
        // A cut before the first record leaves no run.
        if ((error as { code?: string }).code !== 'not-a-run') throw error
      })
      expect(await start(out).ended).toBe(0)
      expect(await expectWhole(out)).toBe(expected.length)
      expect((await readRun(out)).attempts.map(withoutTimes)).toEqual(expected)
    }
  },
)
