import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { prepareCampaign } from '../../bench/parts/campaign.ts'
import { fixedDelayWeb } from '../../bench/parts/fixed-delay-web.ts'
import { resolveScoring } from '../../src/config/scoring-config.ts'
import type { RunConfig } from '../../src/config.ts'
import { readDamagedFilesNotice } from '../../src/run/records/attempt-files.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { listVerificationLines, verifyRun } from '../../src/run/records/verify-run.ts'
import { readReport } from '../../src/run/report-run.ts'
import { scoreRun } from '../../src/run/scores/score-run.ts'
import { executeRun } from '../../src/run.ts'
import { withoutTimes } from './without-times.ts'

let config: RunConfig
let whole: string

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-verify-'))
  config = await prepareCampaign({ folder, attempts: 3, steps: 3, concurrency: 2, turnMs: 0 })
  await executeRun(config, { web: fixedDelayWeb(0), tell: () => undefined })
  whole = config.out
})

/** A copy of the run, to damage. */
async function copyRun(): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'tablehunt-verify-')), 'run')
  await cp(whole, folder, { recursive: true })
  return folder
}

async function resume(out: string): Promise<string[]> {
  const notices: string[] = []
  await executeRun(
    { ...config, out },
    {
      web: fixedDelayWeb(0),
      tell: event => void (event.type === 'notice' && notices.push(event.text)),
    },
  )
  return notices
}

const recordsOf = async (folder: string) => (await readRun(folder)).attempts.map(withoutTimes)

const firstOf = async (folder: string, place: string): Promise<string> => {
  const entries = await readdir(join(folder, place), { withFileTypes: true })
  return join(
    folder,
    place,
    entries
      .filter(entry => entry.isFile())
      .map(({ name }) => name)
      .sort()[0]!,
  )
}

/** Changes a byte and keeps the length. */
async function changeByte(path: string): Promise<void> {
  const bytes = await readFile(path)
  bytes[bytes.length >> 1]! ^= 1
  await writeFile(path, bytes)
}

const damages: Readonly<Record<string, (path: string) => Promise<void>>> = {
  emptied: path => truncate(path, 0),
  cut: async path => await truncate(path, (await readFile(path)).length - 3),
  'of zero bytes': async path => await writeFile(path, Buffer.alloc((await readFile(path)).length)),
  'with another byte': changeByte,
  longer: async path => await writeFile(path, `${await readFile(path, 'utf8')} `),
  missing: path => rm(path),
}

describe('records that are lost', () => {
  it('are found when all scores are gone', async () => {
    const folder = await copyRun()
    await truncate(join(folder, 'scores.jsonl'), 0)
    const verification = await verifyRun(folder)
    expect(verification).toMatchObject({ isWhole: false, whole: 0 })
    expect(verification.unscored).toHaveLength(3)
    expect(listVerificationLines(folder, verification).at(-1)).toBe(
      `tablehunt score ${folder} writes the scores that are missing.`,
    )
  })

  it('are found when attempts with scores have no line', async () => {
    const folder = await copyRun()
    await truncate(join(folder, 'attempts.jsonl'), 0)
    const verification = await verifyRun(folder)
    expect(verification.isWhole).toBe(false)
    expect(verification.unrecorded).toHaveLength(3)
    expect((await resume(folder)).join('\n')).toContain('no line for 3 attempts that have scores')
    expect(await verifyRun(folder)).toMatchObject({ isWhole: true, whole: 3 })
  })
})

describe.each(['manifest.json', 'attempts.jsonl', 'scores.jsonl'])('%s', name => {
  const makers: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    pipe: async path => execFileSync('mkfifo', [path]),
    folder: path => mkdir(path),
    link: path => symlink('/dev/zero', path),
  }
  it.each(Object.entries(makers))('as a %s is refused by everything that reads it', async (_kind, make) => {
    const folder = await copyRun()
    await rm(join(folder, name))
    await make(join(folder, name))
    const refusal = { code: 'not-a-file', message: expect.stringContaining(join(folder, name)) }
    await expect(readRun(folder)).rejects.toMatchObject(refusal)
    await expect(verifyRun(folder)).rejects.toMatchObject(refusal)
    await expect(resume(folder)).rejects.toMatchObject(refusal)
  })
})

it('a folder in the place of an answer is found, and never replaced', async () => {
  const folder = await copyRun()
  const answer = await firstOf(folder, 'answers')
  await rm(answer)
  await mkdir(answer)
  expect((await verifyRun(folder)).lost).toHaveLength(1)
  await expect(resume(folder)).rejects.toMatchObject({ code: 'not-a-file' })
})

describe('a run whose files are whole', () => {
  it('is verified with its answers, traces and texts', async () => {
    expect(await verifyRun(whole)).toMatchObject({ isWhole: true, attempts: 3, whole: 3, manifest: 'whole' })
    expect(await readDamagedFilesNotice(whole)).toBeNull()
    const [attempt] = (await readRun(whole)).attempts
    const names = attempt!.files!.map(({ name }) => name)
    expect(names).toContain(`traces/${attempt!.attemptId}.jsonl`)
    expect(names).toContain(`answers/${attempt!.attemptId}.txt`)
  })
})

describe.each(['answers', 'traces'])('a file of %s', place => {
  it.each(Object.entries(damages))(
    'that is %s is found, and its attempt is made again',
    async (name, damage) => {
      const folder = await copyRun()
      await damage(await firstOf(folder, place))
      const verification = await verifyRun(folder)
      expect(verification).toMatchObject({ isWhole: false, attempts: 3, whole: 2 })
      expect(name === 'missing' ? verification.lost : verification.damaged).toHaveLength(1)
      expect(listVerificationLines(folder, verification).join('\n')).toContain(`${place}/`)
      expect((await resume(folder)).join('\n')).toContain('its attempt is made again')
      expect(await verifyRun(folder)).toMatchObject({ isWhole: true, whole: 3 })
      expect(await recordsOf(folder)).toEqual(await recordsOf(whole))
    },
  )
})

it.each(['answers', 'traces'])('a file in %s of zero bytes is named by reports and exports', async place => {
  const folder = await copyRun()
  await damages['of zero bytes']!(await firstOf(folder, place))
  expect(await readDamagedFilesNotice(folder)).toMatch(
    /1 attempt has damaged files: .* is changed since it was recorded/,
  )
})

it('the cost of an attempt that is made again after its trace was lost is a lower bound', async () => {
  const folder = await copyRun()
  await rm(await firstOf(folder, 'traces'))
  await resume(folder)
  const { report } = await readReport(folder)
  expect(report.run.repeated).toMatchObject({ attempts: 1, isWhole: false })
})

it('an emptied answer is never scored', async () => {
  const folder = await copyRun()
  await truncate(await firstOf(folder, 'answers'), 0)
  const options = { config: resolveScoring({}), repeats: 1, signal: AbortSignal.timeout(60_000) }
  await expect(scoreRun(folder, options)).rejects.toMatchObject({ code: 'damaged-file' })
  expect(await readDamagedFilesNotice(folder)).toContain('1 attempt has damaged files: answers/')
})

it('a damaged score is left out by the report and written again by scoreRun', async () => {
  const folder = await copyRun()
  const path = join(folder, 'scores.jsonl')
  const [line, ...rest] = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, [line!.replace('{', '['), ...rest].join('\n'))
  expect(listVerificationLines(folder, await verifyRun(folder)).at(-1)).toContain('score')
  const notices: string[] = []
  await scoreRun(folder, {
    config: resolveScoring({}),
    repeats: 1,
    signal: new AbortController().signal,
    tell: notice => notices.push(notice),
  })
  expect(notices.join('\n')).toMatch(/scores\.jsonl:1: damaged: .*moved to damaged\.txt/)
  expect(await readFile(join(folder, 'damaged.txt'), 'utf8')).toContain(line!.slice(1, 40))
  expect(await verifyRun(folder)).toMatchObject({ isWhole: true, attempts: 3 })
})

describe('a lost manifest', () => {
  const damages: readonly ((text: string) => string)[] = [
    () => '',
    text => text.slice(0, 10),
    () => '\0\0\0\0',
    text => text.replace('"planned": 3', '"planned": 2'),
  ]
  it.each(damages)('is made again from the command and the records (%#)', async damage => {
    const folder = await copyRun()
    const path = join(folder, 'manifest.json')
    await writeFile(path, damage(await readFile(path, 'utf8')))
    expect((await verifyRun(folder)).manifest).toBe('damaged')
    expect((await resume(folder)).join('\n')).toContain('It is made again from this command and the records')
    expect(await verifyRun(folder)).toMatchObject({ isWhole: true, attempts: 3 })
    expect(await recordsOf(folder)).toEqual(await recordsOf(whole))
  })

  it('is not made again by a command that does not plan the recorded attempts', async () => {
    const folder = await copyRun()
    await rm(join(folder, 'manifest.json'))
    expect((await verifyRun(folder)).manifest).toBe('missing')
    const other = { ...config, out: folder, seed: config.seed + 1 }
    const run = executeRun(other, { web: fixedDelayWeb(0), tell: () => undefined })
    await expect(run).rejects.toMatchObject({ code: 'manifest-missing' })
  })
})
