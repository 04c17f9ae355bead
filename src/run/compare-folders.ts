import { everyOption } from '../config.ts'
import { type Comparison, compareRuns } from '../report/compare/comparison.ts'
import type { ComparedRun } from '../report/compare/run-notes.ts'
import type { RunBenchmarks } from '../report/model/benchmark-tables.ts'
import type { RunScorers } from '../report/model/metrics.ts'
import { listServices, readSearchTimes } from '../report/model/search-services.ts'
import { makeFolderPlace, type RunPlace } from './pack/open-places.ts'
import { listTaintedAttempts, readLeaks } from './records/leaks.ts'
import type { Manifest } from './records/manifest.ts'
import { readManifest } from './records/manifest-file.ts'
import { type RunSummaries, readSummaries } from './records/summaries.ts'
import { readTasksAtHand } from './records/tasks-of-run.ts'
import { traceSource } from './records/trace-source.ts'
import { collectReportData } from './report-data.ts'
import { runNames } from './run-names.ts'
import { readJudgeMarks } from './scores/audit.ts'
import { loadScoreLimits } from './scores/score-limits-file.ts'

/** How runs are compared. */
export interface ComparisonOptions {
  /** Groups tasks by this facet. The default is the domain. */
  readonly by?: string
  /** Compares online attempts of different webs, and scores by different judges. The notes say so. */
  readonly force?: boolean
  /**
   * The models that reason; all others do not. Tables that separate them use it where the records prove nothing. `none`
   * stands for no model.
   */
  readonly reasoningModels?: readonly string[]
  /** The arm with which all others are compared, as printed. The default is the first one with a score. */
  readonly baseline?: string
}

/** A compared run, with summaries of its records. */
export interface LoadedRun extends ComparedRun {
  /** The name of the folder, or its path when several folders have the same name. */
  readonly name: string
  readonly folder: string
  /** The folder or the pack that the user named. */
  readonly argument: string
  readonly manifest: Manifest
  readonly scorers: RunScorers
  readonly benchmarks: RunBenchmarks
  /** Reads the whole record of one attempt. */
  readonly wholeOf: RunSummaries['wholeOf']
}

/** A comparison with the runs that it was made from. */
export interface LoadedComparison {
  readonly comparison: Comparison
  readonly runs: readonly LoadedRun[]
}

/**
 * Compares the runs in these folders.
 *
 * @throws DataError [not-a-run] ConfigError [webs-differ, judges-differ, unknown-facet, unknown-model, unknown-arm]
 */
export async function compareFolders(
  folders: readonly string[],
  options: ComparisonOptions,
): Promise<Comparison> {
  return (await loadComparison(folders.map(makeFolderPlace), options)).comparison
}

/**
 * Compares runs, and returns them too.
 *
 * @throws DataError [not-a-run] ConfigError [webs-differ, judges-differ, unknown-facet, unknown-model, unknown-arm]
 */
export async function loadComparison(
  places: readonly RunPlace[],
  { by, force = false, reasoningModels, baseline }: ComparisonOptions,
): Promise<LoadedComparison> {
  const names = runNames(places.map(({ shown }) => shown))
  const loaded = await Promise.all(
    places.map(async ({ folder, argument }, at) => ({
      ...(await loadRun(folder)),
      argument,
      name: names[at]!,
    })),
  )
  const isCompared = listServices(loaded.map(run => run.manifest)).length > 1
  const withSearchTimes = async (run: LoadedRun): Promise<LoadedRun> => ({
    ...run,
    searchTimes: await readSearchTimes(run.attempts, traceSource(run.folder).eventsOf),
  })
  const runs = isCompared ? await Promise.all(loaded.map(withSearchTimes)) : loaded
  const comparison = compareRuns(runs, {
    force,
    options: everyOption(),
    benchmarks: Object.assign({}, ...runs.map(({ benchmarks }) => benchmarks)),
    ...(by === undefined ? {} : { facet: by }),
    ...(reasoningModels === undefined ? {} : { reasoningModels }),
    ...(baseline === undefined ? {} : { baseline }),
  })
  return { comparison, runs }
}

async function loadRun(folder: string): Promise<Omit<LoadedRun, 'name' | 'argument'>> {
  const manifest = await readManifest(folder)
  const { attempts, scores, unreadableScores, wholeOf } = await readSummaries(folder)
  const { records, scorers, benchmarks } = await collectReportData({ manifest, attempts, scores })
  const tainted = listTaintedAttempts(await readLeaks(folder))
  const marks = await readJudgeMarks(folder)
  const limits = await loadScoreLimits(folder, scores, await readTasksAtHand(manifest))
  return { ...records, folder, scorers, benchmarks, limits, ...marks, tainted, unreadableScores, wholeOf }
}
