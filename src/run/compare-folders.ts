import { type Comparison, compareRuns } from '../report/compare/comparison.ts'
import { searchTimesOf, servicesOf } from '../report/model/search-services.ts'
import { taintedAttempts } from './records/leaks.ts'
import { readRun } from './records/run-folder.ts'
import { traceSource } from './records/trace-source.ts'
import { reportDataOf } from './report-data.ts'

/** How runs are compared. */
export interface CompareRunsOptions {
  /** Groups tasks by this facet. The default is the domain. */
  readonly by?: string
  /** Compares online attempts of different webs, and scores by different judges. The notes say so. */
  readonly force?: boolean
}

/**
 * Compares the runs in these folders.
 *
 * @throws DataError [not-a-run] ConfigError [webs-differ, judges-differ, unknown-facet]
 */
export async function compareFolders(
  folders: readonly string[],
  { by, force = false }: CompareRunsOptions,
): Promise<Comparison> {
  const runs = await Promise.all(folders.map(readRun))
  const made = await Promise.all(runs.map(reportDataOf))
  const isCompared = servicesOf(runs.map(run => run.manifest)).length > 1
  const known = await Promise.all(
    made.map(async ({ records, scorers }, at) => ({
      ...records,
      scorers,
      tainted: taintedAttempts(records.leaks),
      ...(isCompared
        ? { searchTimes: await searchTimesOf(records.attempts, traceSource(folders[at]!).eventsOf) }
        : {}),
    })),
  )
  return compareRuns(known, {
    force,
    benchmarks: Object.assign({}, ...made.map(({ benchmarks }) => benchmarks)),
    ...(by === undefined ? {} : { facet: by }),
  })
}
