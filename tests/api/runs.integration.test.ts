import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { compareRuns, loadTasks, readRun, report, run, scoreRun } from '../../src/index.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { tablehunt } from '../cli/cli.ts'

const demo = join(packageRoot, 'tasks', 'demo')
const tasks = join(demo, 'tasks.jsonl')
let folder = ''

describe('a run of the API', () => {
  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'tablehunt-api-')), 'run')
    await run({ tasks, docs: join(demo, 'documents'), setting: 'offline', limit: 1, out: folder })
  })

  it('is reported and compared as by the commands, without any output', async () => {
    const written = [process.stdout, process.stderr].map(stream => vi.spyOn(stream, 'write'))
    const [own, compared] = [await report(folder), await compareRuns([folder])]
    for (const spy of written) {
      expect(spy).not.toHaveBeenCalled()
      spy.mockRestore()
    }
    // JSON is printed alone, whatever else is asked for.
    const printed = async (command: string) =>
      (await tablehunt([command, folder, '--json', '--full', '--markdown'])).stdout
    expect(JSON.parse(await printed('report'))).toEqual(JSON.parse(JSON.stringify(own)))
    expect(JSON.parse(await printed('compare'))).toEqual(JSON.parse(JSON.stringify(compared)))
    const [attempt] = (await readRun(folder)).attempts
    expect([attempt?.agent, own.arms[0]?.agent]).toEqual(['tablehunt', 'tablehunt'])
  })

  it('is scored again by a scorer and by a judge that is a function', async () => {
    async function mine(): Promise<string> {
      return 'out of form'
    }
    const { scores, judging } = await scoreRun(folder, { scorer: 'strict', judge: mine })
    expect(scores).toBe(1)
    expect(judging).toMatchObject({ usd: null })
    const kept = (await readRun(folder)).scores.map(({ scorer, judge }) => [scorer, judge])
    expect(kept).toEqual([
      ['aoe', 'rules'],
      ['strict', 'function:mine'],
    ])
  })

  it('stores the stability of repeated scores', async () => {
    const { stability } = await scoreRun(folder, { repeat: 2 })
    expect(stability[0]).toMatchObject({ scorer: 'aoe', repeats: 2 })
  })

  const wrong: [string, () => Promise<unknown>, string][] = [
    ['a folder that is no run', () => scoreRun('nowhere'), 'not-a-run'],
    ['no repeat at all', () => scoreRun(folder, { repeat: 0 }), 'invalid-repeat'],
    ['an option of the run alone', () => scoreRun(folder, { model: 'x' } as never), 'unknown-option'],
    ['no run to compare', () => compareRuns([]), 'no-run'],
    ['an unknown facet', () => report(folder, { by: 'colour' }), 'unknown-facet'],
    ['a run without tasks', () => run({ out: 'x' } as never), 'missing-option'],
    ['an unknown option', () => run({ tasks, out: 'x', seting: 'rag' } as never), 'unknown-option'],
    ['an unknown benchmark', () => loadTasks(tasks, { benchmark: 'aeo' }), 'unknown-benchmark'],
    ['a file that is not there', () => loadTasks('none.jsonl'), 'tasks-not-found'],
  ]
  it.each(wrong)('refuses %s', async (_, call, code) => {
    await expect(call()).rejects.toMatchObject({ code })
  })
})
