import { access } from 'node:fs/promises'
import { ConfigError, DataError } from '../src/core/errors.ts'
import type { Question } from '../src/core/task.ts'
import type { Benchmark, LoadOptions } from './benchmark.ts'
import { benchmarks } from './registry.ts'
import { checkLoaded } from './validate/check-loaded.ts'
import { type ValidatedTasks, validateTasks } from './validate/validate-tasks.ts'

/**
 * Loads and validates the tasks of a benchmark. Wrong records do not throw; `problems` lists them. Each question gets the
 * name of the benchmark and the facet `taskType`.
 *
 * @throws ConfigError `unknown-benchmark`, `tasks-not-found` or `invalid-tasks`
 */
export async function readBenchmark(
  name: string,
  path: string,
  options: LoadOptions,
): Promise<ValidatedTasks> {
  const benchmark = benchmarks.get(name)
  await requireDownload(benchmark, path)
  const loaded = await benchmark.load(path, options)
  const plugin = benchmarks.originOf(name)
  if (plugin !== null) checkLoaded(name, plugin, loaded)
  const { tasks, ...rest } = loaded
  const marked = tasks.map(task => ({ ...task, question: markQuestion(task.question, name, benchmark) }))
  return validateTasks(path, { ...rest, tasks: marked }, benchmark.answerKinds)
}

/** Checks that a path exists. For data that users download, the error says from where, and in which layout. */
async function requireDownload({ data }: Benchmark, path: string): Promise<void> {
  if (data === null) return
  await access(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') return
    throw new ConfigError(
      `--tasks ${path}: no such file or folder. Correct the path, or download from ${data.source} (licence: ${data.licence}): ${data.layout}.`,
      { code: 'tasks-not-found', cause },
    )
  })
}

function markQuestion(question: Question, name: string, benchmark: Benchmark): Question {
  const taskType = benchmark.taskType(question)
  const facets = taskType === null ? question.facets : { taskType, ...question.facets }
  return { ...question, benchmark: name, ...(facets === undefined ? {} : { facets }) }
}

/**
 * Loads and validates the tasks of a benchmark for a run, which needs at least one task.
 *
 * @throws DataError `no-task` when no record can be used
 */
export async function loadBenchmark(
  name: string,
  path: string,
  options: LoadOptions,
): Promise<ValidatedTasks> {
  const loaded = await readBenchmark(name, path, options)
  if (loaded.tasks.length > 0) return loaded
  const [first] = loaded.skipped
  if (first === undefined) {
    throw new DataError(
      `${path}: no task found. --benchmark ${name} reads ${benchmarks.get(name).summary}. Name such a file or folder with --tasks.`,
      { code: 'no-task' },
    )
  }
  const record = first.recordId === null ? '' : ` (${first.recordId})`
  const count =
    loaded.skipped.length === 1 ? 'the only record' : `any of the ${loaded.skipped.length} records`
  throw new DataError(
    `${path}: cannot use ${count}. ${first.file ?? path}:${first.line}${record}: ${withFix(first.problem)} tablehunt tasks check lists all problems.`,
    { code: 'no-task' },
  )
}

/** Adds what to do to a problem that is one sentence. Others end with it. */
function withFix(problem: string): string {
  const sentences = problem.replace(/\.$/, '')
  return /\. [A-Z]/.test(sentences) ? `${sentences}.` : `${sentences}. Correct the file.`
}
