import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readRun } from '../../src/run/records/read-records.ts'
import { expectDone, newSetup, start, startProcess, stopAll } from '../run/queue/campaign-setup.ts'
import { type RealRedis, realRedis, redisIsInstalled, whyNoRedis } from '../run/queue/redis-server.ts'

/** A setting that answers without a model. */
const plugin = (answer: string): string => `
import { definePlugin } from 'tablehunt'
export default definePlugin({
  name: 'oracle',
  settings: {
    told: {
      summary: 'the answer is known',
      source: 'memory',
      run: async () => ({
        answerText: \`${answer}\`,
        termination: {
          cause: 'agent', reason: 'answered', answerProduced: true, forcedFinal: false, lastHealthyStep: 1, detail: null,
        },
        usage: {
          inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0, modelCalls: 0, searchCalls: 0,
          fetchCalls: 0, toolErrors: 0, wallMs: 0, workingMs: 0, usd: 0, usdModel: 0, usdSearch: 0, usdFetch: 0,
        },
        context: null,
        retrieval: null,
        chunks: null,
      }),
    },
  },
})
`
const right = '\\`\\`\\`csv\\nFilename,Revenue\\nelm.txt,"4,512"\\n\\`\\`\\`'

/** Each process has the plug-ins that it was started with, so workers are processes of their own. */
describe.skipIf(!redisIsInstalled)(`a worker of a run with a plug-in${whyNoRedis}`, () => {
  let server: RealRedis
  let folder: string

  beforeAll(async () => {
    server = await realRedis()
    await server.start()
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-worker-plugin-'))
    await writeFile(join(folder, 'oracle.ts'), plugin(right))
    await writeFile(join(folder, 'other.ts'), plugin('I do not know.'))
  })
  afterEach(stopAll)
  afterAll(async () => {
    await server.kill()
  })

  it('makes the attempts with a plug-in of its own, and refuses them without it or with another version', async () => {
    const setup = await newSetup(2)
    const worker = (name: string, ...more: string[]) =>
      startProcess(['worker', '--queue', server.url, '--cache', setup.out(`cache-${name}`), ...more])
    const run = start([
      ...['run', ...setup.options, '--setting', 'told', '--plugin', join(folder, 'oracle.ts')],
      ...['--out', setup.out('run'), '--queue', server.url],
    ])

    const without = await worker('without').ended
    expect(without.code).toBe(1)
    expect(without.stderr).toMatch(
      /lacks the run's plug-in 'oracle'.*--allow-plugin.*\[worker-lacks-plugin\]/,
    )
    const outdated = await worker('outdated', '--allow-plugin', join(folder, 'other.ts')).ended
    expect(outdated.code).toBe(1)
    expect(outdated.stderr).toMatch(/plug-in 'oracle' differs from the run's.*\[worker-plugin-differs\]/)
    await run.saying("makes no attempts of this run: this worker lacks the run's plug-in 'oracle'")

    const able = worker('able', '--allow-plugin', join(folder, 'oracle.ts'))
    await expectDone(run, setup.out('run'), 2)
    able.signal('SIGINT')
    await able.ended
    const { scores, manifest } = await readRun(setup.out('run'))
    expect(scores.map(score => score.metrics.cellF1)).toEqual([1, 1])
    expect(manifest).toMatchObject({ plugins: [{ name: 'oracle' }] })
    await setup.remove()
  })
})
