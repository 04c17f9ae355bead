import { appendFile, cp, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadPrompts } from '../../agents/prompts/load.ts'
import { settings } from '../../agents/registry.ts'
import { readWorkbook } from '../../retrieval/text/xlsx.ts'
import { benchmarkDefaults } from '../../src/config/benchmark-defaults.ts'
import { hashTaskInputs, taskInputs } from '../../src/run/records/task-inputs.ts'
import { checkGold } from '../../src/score/check-gold.ts'
import { scorers } from '../../src/score/registry.ts'
import type { LoadOptions } from '../../tasks/benchmark.ts'
import { readBenchmark } from '../../tasks/load-benchmark.ts'
import { benchmarks } from '../../tasks/registry.ts'

/** Tasks by which a benchmark is tested. */
export interface BenchmarkSample {
  /** The benchmark's name in the registry. */
  readonly name: string
  /** Makes tasks without any fault and returns their path. */
  sound(): Promise<string>
  /** Makes at least one task that can be used and one record that cannot. Absent: the benchmark refuses such a path as a whole. */
  broken?(): Promise<string>
  readonly spreadsheet?: LoadOptions['spreadsheet']
}

/** Tests what every benchmark must do, whoever wrote it. */
export function testBenchmark({ name, sound, broken, spreadsheet = null }: BenchmarkSample): void {
  const load = async (path: string) => await readBenchmark(name, path, { spreadsheet, readWorkbook })

  describe(`benchmark ${name}`, () => {
    it('names settings and scorers that exist, and has a scorer for every kind of answer that it asks for', async () => {
      const benchmark = benchmarks.get(name)
      for (const setting of [...benchmark.settings, ...benchmark.otherSettings]) settings.get(setting)
      for (const scorer of benchmark.scorers)
        expect(benchmark.answerKinds).toContain(scorers.get(scorer).kind)
      const { scorer, prompts } = benchmarkDefaults(name)
      expect(scorer.map(one => scorers.get(one).kind)).toEqual(benchmark.answerKinds)
      expect((await loadPrompts(prompts[0]!)).hash).toMatch(/^[0-9a-f]{64}$/)
    })

    it('loads tasks with unique ids and without any fault', async () => {
      const { tasks, skipped, problems } = await load(await sound())
      // An empty cell is right where the documents do not give the value.
      expect(problems.filter(({ code }) => code !== 'empty-gold')).toEqual([])
      expect(skipped).toEqual([])
      expect(tasks.length).toBeGreaterThan(0)
      const ids = tasks.map(({ question }) => question.taskId)
      expect(new Set(ids).size).toBe(ids.length)
      expect(new Set(tasks.map(({ question }) => question.benchmark))).toEqual(new Set([name]))
    })

    it('loads the same tasks again from the same inputs', async () => {
      const path = await sound()
      const plain = async (): Promise<unknown> => JSON.parse(JSON.stringify((await load(path)).tasks))
      expect(await plain()).toEqual(await plain())
      const place = { tasks: path, benchmark: name }
      expect(await hashTaskInputs(place)).toEqual(await hashTaskInputs(place))
    })

    it('names every file that its tasks come from: a copy of them alone loads, and a change in one is seen', async () => {
      const path = await sound()
      const inputs = await taskInputs({ tasks: path, benchmark: name })
      const folder = await mkdtemp(join(tmpdir(), 'tablehunt-contract-'))
      const from = dirname(resolve(path))
      for (const input of inputs) await cp(input.path, join(folder, relative(from, input.path)))
      const copy = join(folder, basename(path))
      const idsOf = async (tasks: string) => (await load(tasks)).tasks.map(({ question }) => question.taskId)
      expect(await idsOf(copy)).toEqual(await idsOf(path))
      const before = await hashTaskInputs({ tasks: copy, benchmark: name })
      for (const input of await taskInputs({ tasks: copy, benchmark: name })) {
        await appendFile(input.path, ' ')
        expect(await hashTaskInputs({ tasks: copy, benchmark: name })).not.toEqual(before)
      }
    })

    it('gives 100 to its gold by each of its scorers', async () => {
      const { tasks } = await load(await sound())
      for (const { question, gold, turnGolds = [] } of tasks)
        for (const one of [gold, ...turnGolds])
          for (const { code, message } of await checkGold(one, question, benchmarks.get(name).scorers))
            expect(code, message).not.toBe('gold-not-100')
    })

    it('keeps the gold out of its questions', async () => {
      for (const { question } of (await load(await sound())).tasks) {
        const fields = [
          'taskId',
          'benchmark',
          'domain',
          'language',
          'query',
          'documentNames',
          'form',
          'turns',
        ]
        expect([...fields, 'facets']).toEqual(expect.arrayContaining(Object.keys(question)))
      }
    })

    it.skipIf(broken === undefined)(
      'names the records that it cannot read, and loads the others',
      async () => {
        const path = await broken!()
        const { tasks, skipped } = await load(path)
        expect(tasks.length).toBeGreaterThan(0)
        expect(skipped.length).toBeGreaterThan(0)
        for (const { line, problem, file = path } of skipped) {
          expect(problem.trim()).not.toBe('')
          expect((await readFile(file, 'utf8')).split('\n').length).toBeGreaterThanOrEqual(line)
        }
      },
    )
  })
}
