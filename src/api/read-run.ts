import type { Comparison } from '../report/compare/comparison.ts'
import type { Report } from '../report/model/report.ts'
import type { ComparisonOptions as CompareFoldersOptions } from '../run/compare-folders.ts'
import type { RunRecords } from '../run/records/read-records.ts'
import { loadPluginsOption, type PluginsOption } from './plugins.ts'

/**
 * Reads the records of a run into memory: its manifest, attempts, scores and leaks.
 *
 * @param folder a run's folder, finished or not
 * @throws DataError [not-a-run, damaged-manifest], or naming the line of a damaged record
 *
 * @example
 * import { readRun } from 'tablehunt'
 *
 * const { attempts, scores } = await readRun('runs/first')
 * for (const attempt of attempts) {
 *   const score = scores.find(one => one.attemptId === attempt.attemptId)
 *   console.log(attempt.taskId, attempt.setting, attempt.termination.reason, score?.metrics.cellF1)
 * }
 */
export async function readRun(folder: string): Promise<RunRecords> {
  return await (await import('../run/records/read-records.ts')).readRun(folder)
}

/**
 * Options of `report`.
 *
 * @example
 * import type { ReportOptions } from 'tablehunt'
 *
 * const options: ReportOptions = { by: 'language' }
 */
export interface ReportOptions extends PluginsOption {
  /** The facet by which tasks are grouped. The default is the domain. */
  readonly by?: string
  /** The arm with which all others are compared, by its id or name. The default is the first one with a score. */
  readonly baseline?: string
}

/**
 * Builds the report of a run: the same as `tablehunt report RUN --json` prints. Writes nothing.
 *
 * @param folder a run's folder, finished or not
 * @throws DataError [not-a-run, damaged-manifest] ConfigError [unknown-facet, unknown-arm, plugin-not-found]
 *
 * @example
 * import { report } from 'tablehunt'
 *
 * const { groups } = await report('runs/first')
 * for (const { setting, n, metrics } of groups.filter(group => group.domain === 'all'))
 *   console.log(setting, n, metrics.cellF1?.mean)
 */
export async function report(folder: string, options: ReportOptions = {}): Promise<Report> {
  await loadPluginsOption(options.plugins)
  const { readReport } = await import('../run/report-run.ts')
  return (await readReport(folder, { facet: options.by, baseline: options.baseline })).report
}

/**
 * Options of `compareRuns`.
 *
 * @example
 * import type { CompareRunsOptions } from 'tablehunt'
 *
 * const options: CompareRunsOptions = { by: 'language', force: false }
 */
export interface CompareRunsOptions extends CompareFoldersOptions, PluginsOption {}

/**
 * Compares runs: the same as `tablehunt compare RUN… --json` prints.
 *
 * @param folders folders of runs
 * @throws DataError [not-a-run, damaged-manifest]
 * ConfigError [no-run, webs-differ, judges-differ, unknown-facet, unknown-model, unknown-arm, plugin-not-found]
 *
 * @example
 * import { compareRuns } from 'tablehunt'
 *
 * const { notes, differences } = await compareRuns(['runs/first', 'runs/second'])
 * console.log(notes.join('\n'))
 * for (const { from, to, metric, mean, pValue } of differences.filter(row => row.domain === 'all'))
 *   console.log(`${metric}: ${from} to ${to}: ${mean} (p = ${pValue})`)
 */
export async function compareRuns(
  folders: readonly string[],
  options: CompareRunsOptions = {},
): Promise<Comparison> {
  const { plugins, ...how } = options
  await loadPluginsOption(plugins)
  if (!Array.isArray(folders) || folders.length === 0) {
    const { ConfigError } = await import('../core/errors.ts')
    throw new ConfigError("no run to compare. Give a list of runs' folders.", { code: 'no-run' })
  }
  return await (await import('../run/compare-folders.ts')).compareFolders(folders, how)
}
