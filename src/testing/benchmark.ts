import { deepEqual, notDeepEqual, ok } from 'node:assert/strict'
import { appendFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { loadPrompts } from '../../agents/prompts/load.ts'
import { settings } from '../../agents/registry.ts'
import { readWorkbook } from '../../retrieval/office/xlsx.ts'
import type { LoadOptions } from '../../tasks/benchmark.ts'
import { readBenchmark } from '../../tasks/load-benchmark.ts'
import { benchmarks, scorers } from '../../tasks/registry.ts'
import { checkGold } from '../../tasks/validate/check-gold.ts'
import { listBenchmarkDefaults, listDefaultScorers } from '../config/benchmark-defaults.ts'
import { describeTaskInputs, hashTaskInputs } from '../run/records/task-inputs.ts'
import type { Check } from './contract.ts'

/**
 * Tasks that a benchmark is tested with.
 *
 * @example
 * import type { BenchmarkSample } from 'tablehunt/testing'
 *
 * const capitals: BenchmarkSample = { tasks: 'capitals.tsv', brokenTasks: 'capitals-with-a-fault.tsv' }
 */
export interface BenchmarkSample {
  /** A path for `--tasks` whose tasks have no problem. */
  readonly tasks: string
  /**
   * A path with at least one valid task and one invalid record. Absent when the benchmark rejects such a path
   * as a whole.
   */
  readonly brokenTasks?: string
  /** Option `spreadsheet` of the config file. */
  readonly spreadsheet?: LoadOptions['spreadsheet']
}

/** Returns the checks that every benchmark must pass. */
export function benchmarkContract(name: string, sample: BenchmarkSample): readonly Check[] {
  const { tasks: path, brokenTasks, spreadsheet = null } = sample
  const load = async (from: string) => await readBenchmark(name, from, { spreadsheet, readWorkbook })
  const checks: Check[] = [
    {
      name: 'names settings, prompts and scorers that exist, with a scorer for every kind of answer',
      run: () => checkNames(name),
    },
    {
      name: 'loads tasks with unique ids and without problems',
      run: async () => checkLoaded(path, await load(path)),
    },
    {
      name: 'loads the same tasks again from the same inputs',
      async run() {
        const plain = async (): Promise<unknown> => JSON.parse(JSON.stringify((await load(path)).tasks))
        deepEqual(await plain(), await plain())
        const place = { tasks: path, benchmark: name }
        deepEqual(await hashTaskInputs(place), await hashTaskInputs(place))
      },
    },
    {
      name: 'names every file of its tasks: a copy of these files loads, and a change in one is noticed',
      async run() {
        const idsOf = async (from: string) => (await load(from)).tasks.map(({ question }) => question.taskId)
        await checkInputs(name, path, idsOf)
      },
    },
    {
      name: 'has gold that each of its scorers scores with 100',
      run: async () => await checkGoldScores(name, await load(path)),
    },
    {
      name: 'keeps the gold out of its questions',
      run: async () => checkQuestions(await load(path)),
    },
  ]
  if (brokenTasks !== undefined)
    checks.push({
      name: 'names the records that it cannot read, and loads the others',
      run: async () => await checkSkipped(brokenTasks, await load(brokenTasks)),
    })
  return checks
}

const questionFields: readonly string[] = [
  'taskId',
  'benchmark',
  'domain',
  'language',
  'query',
  'documentNames',
  'form',
  'turns',
  'facets',
]

type LoadedBenchmark = Awaited<ReturnType<typeof readBenchmark>>

function checkLoaded(path: string, { tasks, skipped, problems }: LoadedBenchmark): void {
  // An empty cell is correct when the documents do not contain the value.
  const faults = problems.filter(({ code }) => code !== 'empty-gold')
  deepEqual(faults, [])
  deepEqual(skipped, [])
  ok(tasks.length > 0, `${path} has no task`)
  const ids = tasks.map(({ question }) => question.taskId)
  deepEqual(ids, [...new Set(ids)])
}

async function checkGoldScores(benchmark: string, { tasks }: LoadedBenchmark): Promise<void> {
  for (const { question, gold, turnGolds = [] } of tasks)
    for (const turnGold of [gold, ...turnGolds]) {
      const problems = await checkGold(turnGold, question, benchmarks.get(benchmark).scorers)
      const low = problems.filter(({ code }) => code === 'gold-not-100')
      deepEqual(low, [], question.taskId)
    }
}

function checkQuestions({ tasks }: LoadedBenchmark): void {
  for (const { question } of tasks)
    for (const field of Object.keys(question))
      ok(questionFields.includes(field), `${question.taskId}: question.${field} is not a field of a question`)
}

async function checkNames(name: string): Promise<void> {
  const benchmark = benchmarks.get(name)
  for (const setting of [...benchmark.settings, ...benchmark.otherSettings]) settings.get(setting)
  for (const scorer of benchmark.scorers) {
    const { kind } = scorers.get(scorer)
    ok(benchmark.answerKinds.includes(kind), `the scorer ${scorer} is for ${kind}, which is not asked for`)
  }
  const { prompts } = listBenchmarkDefaults(name)
  const kinds = listDefaultScorers(name, []).map(scorer => scorers.get(scorer).kind)
  deepEqual(kinds, benchmark.answerKinds, 'every kind of answer has a scorer')
  for (const prompt of prompts) await loadPrompts(prompt)
}

async function checkInputs(
  benchmark: string,
  path: string,
  idsOf: (from: string) => Promise<string[]>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-contract-'))
  try {
    const from = dirname(resolve(path))
    for (const input of await describeTaskInputs({ tasks: path, benchmark }))
      await cp(input.path, join(folder, relative(from, resolve(input.path))))
    const place = { tasks: join(folder, basename(path)), benchmark }
    deepEqual(await idsOf(place.tasks), await idsOf(path))
    const before = await hashTaskInputs(place)
    for (const input of await describeTaskInputs(place)) {
      await appendFile(input.path, ' ')
      notDeepEqual(await hashTaskInputs(place), before, input.path)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function checkSkipped(path: string, { tasks, skipped }: LoadedBenchmark): Promise<void> {
  ok(tasks.length > 0, `${path}: no task was loaded`)
  ok(skipped.length > 0, `${path}: no record was skipped`)
  for (const { line, problem, file = path } of skipped) {
    ok(problem.trim() !== '', `${file}:${line}: says nothing about what is wrong`)
    const lines = (await readFile(file, 'utf8')).split('\n').length
    ok(line >= 1 && line <= lines, `${file}:${line}: there is no such line`)
  }
}
