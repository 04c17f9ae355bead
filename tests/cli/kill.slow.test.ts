import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { prepareCampaign } from '../../bench/parts/campaign.ts'
import { parseTrace } from '../../logs/reader.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import { seededRandom } from '../../src/core/runtime.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { packageRoot } from '../../src/system/paths.ts'

/** How often the process is killed in all; 100 with TABLEHUNT_KILLS=100. */
const kills = Number(process.env.TABLEHUNT_KILLS ?? 6)
const tasks = 40
const attemptsPlanned = tasks * 2
/** A quarter of the kills falls on the start of the process, the others on its attempts, within so long. */
const [startShare, withinMs] = [0.25, 2_500]

/** A campaign in two settings: documents of one line, a scripted model that takes its time, a sealed web. */
async function campaign(): Promise<{ out: string; args: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-kill-'))
  const times = { turnMs: 150 }
  const config = await prepareCampaign({ folder, attempts: tasks, steps: 4, concurrency: 3, ...times })
  const docs = join(folder, 'docs')
  await mkdir(docs)
  for (let task = 0; task < tasks; task++)
    for (const part of ['a', 'b']) {
      const name = `group-${String(task).padStart(6, '0')}-${part}.pdf`
      await writeFile(join(docs, name), `Company ${task}-0 had revenue of ${1_000 * (task + 1)}.`)
    }
  const { out, tasks: file, cache, model } = config
  const what = ['--tasks', file, '--docs', docs, '--setting', 'offline,online', '--model', model[0]!]
  const how = ['--web', 'sealed', '--browser', 'off', '--concurrency', '3', '--cache', cache!]
  return { out, args: ['run', ...what, ...how, '--out', out] }
}

/** When a process is killed: so long after its start, or after its first attempt began. */
interface Moment {
  readonly from: 'start' | 'attempts'
  readonly afterMs: number
}

function randomMoment(random: () => number): Moment {
  return { from: random() < startShare ? 'start' : 'attempts', afterMs: random() * withinMs }
}

/** Runs the command, to its end or until it is killed -9. Gives its exit code, null where it was killed. */
async function runUntil(
  args: readonly string[],
  moment: Moment | null,
): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [join(packageRoot, 'bin', 'tablehunt.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  let timer: NodeJS.Timeout | null = null
  const arm = (from: Moment['from']): void => {
    if (moment === null || moment.from !== from || timer !== null) return
    timer = setTimeout(() => child.kill('SIGKILL'), moment.afterMs)
  }
  arm('start')
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString()
    if (stderr.includes(' attempts -> ')) arm('attempts')
  })
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  if (timer !== null) clearTimeout(timer)
  return { code, stderr }
}

async function wholeLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
}

/** Reads every record, trace and blob-bearing line as it stands after a kill; gives the records by attempt. */
async function readAll(out: string): Promise<Map<string, string>> {
  const lines = await wholeLines(join(out, 'attempts.jsonl'))
  const records = new Map<string, string>()
  for (const line of lines) {
    const { attemptId } = JSON.parse(line) as Attempt
    expect(records.has(attemptId), `${attemptId} has two records`).toBe(false)
    records.set(attemptId, line)
  }
  const traces = join(out, 'traces')
  for (const folder of [traces, join(traces, 'superseded')])
    for (const name of await readdir(folder).catch(() => []))
      if (name.endsWith('.jsonl')) parseTrace(await readFile(join(folder, name), 'utf8'), name)
  if (records.size > 0) await readRun(out)
  return records
}

/** What stood before stands as it was: nothing is lost, and nothing that has a record is made again. */
function expectKept(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): void {
  for (const [attemptId, line] of before) expect(now.get(attemptId)).toBe(line)
}

/** Starts a campaign again and again until it ends by itself or was killed so many times; gives how many. */
async function killUntilFinished(mostKills: number, random: () => number): Promise<number> {
  const { out, args } = await campaign()
  let known = new Map<string, string>()
  let killed = 0
  for (;;) {
    const { code, stderr } = await runUntil(args, killed === mostKills ? null : randomMoment(random))
    expect([null, 0], stderr).toContain(code)
    const records = await readAll(out)
    expectKept(known, records)
    known = records
    if (code === 0) break
    killed++
  }
  const { attempts, scores } = await readRun(out)
  expect(attempts).toHaveLength(attemptsPlanned)
  expect(scores.map(score => score.attemptId)).toEqual(attempts.map(attempt => attempt.attemptId))
  expect(new Set(attempts.map(attempt => attempt.termination.cause))).toEqual(new Set(['agent']))
  return killed
}

it(`loses and repeats no attempt when it is killed at ${kills} random moments`, async () => {
  const random = seededRandom(kills)
  for (let left = kills; left > 0; ) left -= await killUntilFinished(left, random)
}, 3_600_000)
