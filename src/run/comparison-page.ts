import { everyOption } from '../config.ts'
import type { Attempt } from '../core/attempt.ts'
import { groupBy } from '../core/group-by.ts'
import type { Task } from '../core/task.ts'
import type { Comparison } from '../report/compare/comparison.ts'
import { namePooledAttempt, poolRecords } from '../report/compare/pool-runs.ts'
import { makeAttemptCountTables, makeTablesForPapers } from '../report/compare/render-comparison.ts'
import type { HtmlInput, TraceSource } from '../report/html/html.ts'
import { canonicalJson } from '../system/hash.ts'
import type { LoadedComparison, LoadedRun } from './compare-folders.ts'
import { readTasksAtHand } from './records/tasks-of-run.ts'
import { traceSource } from './records/trace-source.ts'
import { writePage } from './report-run.ts'
import { listOptions, runFacts } from './run-facts.ts'

/**
 * Writes the page over the compared runs: the app of the report with the arms of all runs.
 *
 * @param options `isSplit`: whether the traces are in a folder beside the file, instead of in it
 */
export async function writeComparisonPage(
  loaded: LoadedComparison,
  file: string,
  { isSplit = false }: { readonly isSplit?: boolean } = {},
): Promise<void> {
  await writePage(await readComparisonInput(loaded), { file, isSplit })
}

/** The input of the page over several runs. */
export interface ComparisonInput extends HtmlInput {
  readonly tasks: NonNullable<HtmlInput['tasks']>
  readonly wholeOf: NonNullable<HtmlInput['wholeOf']>
  readonly traces: TraceSource
}

/** Collects what the page over the compared runs shows. */
export async function readComparisonInput({ comparison, runs }: LoadedComparison): Promise<ComparisonInput> {
  const records = poolRecords(runs, { facet: comparison.facet, options: everyOption() })
  const facts = runs.map(run => ({
    ...runFacts(run.folder, run.manifest),
    name: run.name,
    options: listOptions(run.manifest),
  }))
  const places = locateAttempts(runs)
  return {
    report: { ...comparison, differences: putRunsFirst(comparison) },
    records,
    run: facts[0]!,
    tainted: records.tainted,
    tasks: await readSharedTasks(runs),
    wholeOf: makeRecordsReader(places, records.attempts),
    traces: combineTraces(runs, places),
    compared: {
      title: runs.map(({ name }) => name).join(' against '),
      runs: facts,
      runOf: id => runs.indexOf(places.get(id)!.run),
      sections: [
        {
          id: 'papers',
          title: 'Tables for a paper',
          figures: [],
          tables: [...makeTablesForPapers(comparison), ...makeAttemptCountTables(comparison)],
        },
      ],
    },
  }
}

/** Puts differences between models and between runs first: they are what one run alone does not show. */
function putRunsFirst({ arms, differences }: Comparison): Comparison['differences'] {
  const sides = new Map(arms.map(({ id, model, options }) => [id, `${options.run ?? ''} ${model}`]))
  return differences.toSorted(
    (a, b) =>
      Number(sides.get(a.arm) === sides.get(a.fromArm)) - Number(sides.get(b.arm) === sides.get(b.fromArm)),
  )
}

/** The run of each attempt, and its id there, by its id in the page. */
type Places = ReadonlyMap<string, { readonly run: LoadedRun; readonly attemptId: string }>

function locateAttempts(runs: readonly LoadedRun[]): Places {
  return new Map(
    runs.flatMap(run =>
      run.attempts.map(
        ({ attemptId }) => [namePooledAttempt(run.name, attemptId), { run, attemptId }] as const,
      ),
    ),
  )
}

/** Returns the tasks of all runs. Leaves out tasks with different gold in two runs, which would be wrong for one of them. */
async function readSharedTasks(runs: readonly LoadedRun[]): Promise<ReadonlyMap<string, Task>> {
  const tasksByRun = await Promise.all(runs.map(({ manifest }) => readTasksAtHand(manifest)))
  const byId = groupBy(
    tasksByRun.flatMap(tasks => [...tasks.values()]),
    ({ question }) => question.taskId,
  )
  return new Map(
    [...byId].flatMap(([id, [first, ...furtherTasks]]) => {
      const gold = canonicalJson(first!.gold)
      return furtherTasks.every(task => canonicalJson(task.gold) === gold) ? [[id, first!] as const] : []
    }),
  )
}

function makeRecordsReader(places: Places, attempts: readonly Attempt[]): NonNullable<HtmlInput['wholeOf']> {
  const summaries = new Map(attempts.map((attempt): [string, Attempt] => [attempt.attemptId, attempt]))
  return async id => {
    const { run, attemptId } = places.get(id)!
    const { attempt, scores } = await run.wholeOf(attemptId)
    const { options, domain, facets } = summaries.get(id)!
    return { attempt: { ...attempt, options, domain, ...(facets === undefined ? {} : { facets }) }, scores }
  }
}

function combineTraces(runs: readonly LoadedRun[], places: Places): TraceSource {
  const sources = new Map(runs.map(run => [run, traceSource(run.folder)]))
  return {
    async eventsOf(id) {
      const place = places.get(id)
      return place === undefined ? null : await sources.get(place.run)!.eventsOf(place.attemptId)
    },
    // The name of a stored text is its hash, so any run may have it.
    blob: hash => {
      for (const { blob } of sources.values()) {
        const text = blob(hash)
        if (text !== null) return text
      }
      return null
    },
  }
}
