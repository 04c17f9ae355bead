import { type Comparison, compareRuns } from '../report/compare/comparison.ts'
import { taintedAttempts } from './records/leaks.ts'
import { readRun } from './records/run-folder.ts'
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
  const known = made.map(({ records, scorers }) => ({
    ...records,
    scorers,
    tainted: taintedAttempts(records.leaks),
  }))
  return compareRuns(known, {
    force,
    benchmarks: Object.assign({}, ...made.map(({ benchmarks }) => benchmarks)),
    ...(by === undefined ? {} : { facet: by }),
  })
}
