import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadContextDocuments } from '../../retrieval/context-documents.ts'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { loadTasks } from '../../src/api/load-tasks.ts'
import { score } from '../../src/api/score.ts'
import { type Random, seededRandom } from '../../src/core/runtime.ts'
import { goldsOf, type Task } from '../../src/core/task.ts'
import { makeLongTableBench } from '../../src/run/tasks/make-longtablebench.ts'
import { readStructextSpec } from '../../tasks/structext/make/read-spec.ts'
import { writeStructext } from '../../tasks/structext/make/write-file.ts'
import { drawnWords, writeMadeTables } from './made-tables.ts'
import { moduleInput } from './process.ts'
import { strucBenchRecords } from './struc-bench-records.ts'

/** The benchmarks whose tasks are made here. */
export type MadeBenchmark = 'longtablebench' | 'structext' | 'struc-bench'

export interface MadeTasksInput {
  readonly benchmark: MadeBenchmark
  readonly folder: string
  readonly seed: number
}

/** Milliseconds for 1,000 tasks. */
export interface MadeTasksCost {
  readonly generateMs: number
  /** With each document once, as a text for a prompt. */
  readonly loadMs: number
  /** One answer for each task, or for each question of a conversation. Every second one is damaged. */
  readonly scoreMs: number
  /** The mean score of the gold as answers, and of the damaged ones, from 0 to 1. */
  readonly goldScore: number
  readonly damagedScore: number
}

const tasksInAll = 1_000
/** For six kinds, single and multi turn, in three sizes. */
const perKind = 28

/** Makes at least 1,000 tasks in a folder. Returns what `--tasks` names, and the time of the generator. */
async function generate({ benchmark, folder, seed }: MadeTasksInput): Promise<{ path: string; ms: number }> {
  const path = join(folder, 'tasks')
  if (benchmark === 'longtablebench') {
    const tables = join(folder, 'tables')
    await writeMadeTables(tables, 6_000, seed)
    const [made, ms] = await timed(() => makeLongTableBench({ tables, out: path, seed, perKind }))
    return { path, ms: forAll(ms, made.tasks) }
  }
  if (benchmark === 'structext') {
    const flags = {
      depth: '2,3',
      width: '2,3',
      columns: '10',
      attributes: '6',
      words: '6',
      shots: '0',
      count: '9',
      seed: String(seed),
    }
    const [made, ms] = await timed(() => writeStructext(path, readStructextSpec(flags)))
    return { path: made.file, ms: forAll(ms, made.samples) }
  }
  const file = `${path}.jsonl`
  const [, ms] = await timed(async () => {
    const lines = strucBenchRecords(tasksInAll, seed).map(record => `${JSON.stringify(record)}\n`)
    await writeFile(file, lines.join(''))
  })
  return { path: file, ms }
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now()
  const result = await work()
  return [result, performance.now() - startedAt]
}

const forAll = (ms: number, tasks: number): number => (ms / tasks) * tasksInAll

async function load({ benchmark, folder }: MadeTasksInput, path: string): Promise<readonly Task[]> {
  const { tasks } = await loadTasks(path, { benchmark })
  const documents = new Set(tasks.flatMap(task => task.documents))
  const reader = createDocumentReader({ cacheFolder: join(folder, 'texts') })
  await loadContextDocuments([...documents], null, reader)
  await reader.close()
  return tasks
}

/** Alters or removes a tenth of the words of a text. */
function damaged(text: string, random: Random): string {
  return text
    .split(/(\s+)/)
    .map(word => {
      if (word.trim() === '' || random() >= 0.1) return word
      return random() < 0.5 ? '' : drawnWords(random, 1)
    })
    .join('')
}

async function scoreAll(tasks: readonly Task[], seed: number) {
  const random = seededRandom(seed)
  const sums = { gold: 0, damaged: 0 }
  for (const [at, task] of tasks.entries()) {
    const golds = goldsOf(task).map(gold => (gold.kind === 'text' ? gold.references[0]! : ''))
    const isGold = at % 2 === 0
    const answers = isGold ? golds : golds.map(text => damaged(text, random))
    const { metrics } = await score(answers, task)
    sums[isGold ? 'gold' : 'damaged'] += Object.values(metrics)[0] ?? 0
  }
  const half = Math.ceil(tasks.length / 2)
  return { goldScore: sums.gold / half, damagedScore: sums.damaged / (tasks.length - half) }
}

const input = moduleInput<MadeTasksInput>()
const { path, ms } = await generate(input)
const [tasks, loadMs] = await timed(() => load(input, path))
const [scores, scoreMs] = await timed(() => scoreAll(tasks, input.seed))
const cost: MadeTasksCost = {
  ...{ generateMs: ms, loadMs: forAll(loadMs, tasks.length), scoreMs: forAll(scoreMs, tasks.length) },
  ...scores,
}
process.stdout.write(`${JSON.stringify(cost)}\n`)
