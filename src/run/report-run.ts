import { createReadStream, existsSync } from 'node:fs'
import { cp, mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { scorers } from '../../tasks/registry.ts'
import { ConfigError } from '../core/errors.ts'
import type { Score } from '../core/score.ts'
import type { ScoreLimits } from '../core/score-limits.ts'
import type { Task } from '../core/task.ts'
import type { HtmlInput } from '../report/html/html.ts'
import { makeBudgetCurves } from '../report/model/budget-curves.ts'
import { buildReport } from '../report/model/build-report.ts'
import { defaultFacet } from '../report/model/facets.ts'
import type { Report } from '../report/model/report.ts'
import { listServices, readSearchTimes } from '../report/model/search-services.ts'
import type { RunFacts } from '../report/page/page-data.ts'
import { writeOutput } from '../system/atomic-write.ts'
import { isWritableFile } from '../system/files.ts'
import { lockHolder } from '../system/folder-lock.ts'
import { writeFileName } from '../text/file-name.ts'
import { nameOwnPlanFolder } from './fork/plan-forks.ts'
import { forkPlanPath, readForkPlan } from './plan/fork-plan.ts'
import { listTaintedAttempts, readLeaks } from './records/leaks.ts'
import { readManifest } from './records/manifest-file.ts'
import { readRepeatedSpending } from './records/repeated-spending.ts'
import { readStability } from './records/stability-file.ts'
import { type RunSummaries, readSummaries } from './records/summaries.ts'
import { readTasksAtHand } from './records/tasks-of-run.ts'
import { traceSource } from './records/trace-source.ts'
import { collectReportData, type ReportRecords } from './report-data.ts'
import { runFacts } from './run-facts.ts'
import { readJudgeMarks } from './scores/audit.ts'
import { loadScoreLimits } from './scores/score-limits-file.ts'

interface MadeReport {
  /** Summaries of the records, which contain all that a report over the whole run needs. */
  readonly records: ReportRecords
  readonly report: Report
  /** What answers without any work get at the scored tasks. */
  readonly limits: readonly ScoreLimits[]
}

/** A run's report, with the records that it was made from. */
export interface LoadedReport extends MadeReport {
  readonly folder: string
  /** What is wrong with each record of a score that is left out. */
  readonly unreadableScores: readonly string[]
  /** Reads the whole record of one attempt, for its page. */
  readonly wholeOf: RunSummaries['wholeOf']
  /** What was run. */
  readonly run: RunFacts
  /** The attempts in the leak ledger. */
  readonly tainted: ReadonlySet<string>
  /** The tasks by id. Empty when the files of the tasks are missing or have changed. */
  readonly tasks: ReadonlyMap<string, Task>
}

/** How a report is made. */
export interface ReportChoice {
  /** Groups the tasks by this facet. The default is the domain. */
  readonly facet?: string | undefined
  /** The arm with which all others are compared. The default is the first one with a score. */
  readonly baseline?: string | undefined
}

/**
 * Reads a run's records and makes its report.
 *
 * @throws DataError [not-a-run] ConfigError [unknown-facet, unknown-arm]
 */
export async function readReport(
  folder: string,
  { facet, baseline }: ReportChoice = {},
): Promise<LoadedReport> {
  const manifest = await readManifest(folder)
  const { attempts, scores, unreadableScores, wholeOf } = await readSummaries(folder)
  const tainted = listTaintedAttempts(await readLeaks(folder))
  const tasks = await readTasksAtHand(manifest)
  const source = {
    records: { manifest, attempts, scores },
    tainted,
    tasks,
    facet,
    baseline,
    unreadableScores,
  }
  const result = await makeReport(folder, source)
  return { folder, ...result, unreadableScores, wholeOf, run: runFacts(folder, manifest), tainted, tasks }
}

/**
 * Makes the report again, with the scores of these scorers first, for the summary that `score` prints. The HTML report
 * keeps the order of the records, in which the run's own scorer is first.
 */
export async function leadWithScorers(
  loaded: LoadedReport,
  scorers: readonly string[],
): Promise<LoadedReport> {
  const { folder, records, report, tainted, tasks, unreadableScores } = loaded
  const isFirst = ({ scorer }: Score): boolean => scorers.includes(scorer)
  const scores = [...records.scores.filter(isFirst), ...records.scores.filter(score => !isFirst(score))]
  const source = { records: { ...records, scores }, tainted, tasks, facet: report.facet, unreadableScores }
  return { ...loaded, ...(await makeReport(folder, source)) }
}

/** What the report of a run is made from, besides the other files in its folder. */
interface ReportSource {
  readonly records: LoadedReport['records']
  readonly tainted: ReadonlySet<string>
  readonly tasks: LoadedReport['tasks']
  readonly facet: string | undefined
  readonly baseline?: string | undefined
  readonly unreadableScores: readonly string[]
}

async function makeReport(
  folder: string,
  { records: inFolder, tainted, tasks, facet, baseline, unreadableScores }: ReportSource,
): Promise<MadeReport> {
  const { manifest, attempts, scores } = inFolder
  const { records, scorers, benchmarks } = await collectReportData(inFolder)
  const stability = (await readStability(folder)).flatMap(({ measures, scores: _scores, ...scoring }) =>
    measures.map(measure => ({ ...scoring, metric: measure.measure, ...measure })),
  )
  const { eventsOf } = traceSource(folder)
  const curves = await makeBudgetCurves({ attempts, scores, scorers, eventsOf })
  const isCompared = listServices([manifest]).length > 1
  const limits = await loadScoreLimits(folder, scores, tasks)
  const report = buildReport({
    ...records,
    repeated: await readRepeatedSpending(folder, attempts, await isMadeElsewhere(folder)),
    ...(isCompared ? { searchTimes: await readSearchTimes(attempts, eventsOf) } : {}),
    scorers,
    benchmarks,
    stability,
    curves,
    tainted,
    unreadableScores,
    ...readLostShares(folder),
    limits,
    baseline,
    ...(await readJudgeMarks(folder)),
    ...(facet === undefined ? {} : { facet }),
    skippedTasks: manifest.skippedTasks,
  })
  return { records, report, limits }
}

/** Whether another process makes attempts of a run. */
export async function isMadeElsewhere(folder: string): Promise<boolean> {
  const holder = await lockHolder(folder)
  return holder !== null && holder.pid !== process.pid
}

/** The path of the report in a run's folder. A report by another facet than the default has a file of its own. */
export function reportFile(folder: string, facet: string = defaultFacet): string {
  return join(folder, facet === defaultFacet ? 'report.html' : `${writeFileName(`report-by-${facet}`)}.html`)
}

/**
 * Writes RUN/report.html (RUN/report-by-FACET.html for another facet), and a copy if `copy` names one. Writes only the copy when the run's folder is read-only.
 *
 * @param options `isSplit`: whether the traces are in a folder beside the file, instead of in it
 * @returns the paths of the written files
 * @throws ConfigError [reserved-file] when the copy of a report by another facet would replace RUN/report.html
 */
export async function writeHtmlReport(
  loaded: LoadedReport,
  { copy, isSplit = false }: { readonly copy: string | null; readonly isSplit?: boolean },
): Promise<string[]> {
  const { traceFolder } = await import('../report/html/html.ts')
  const runFile = reportFile(loaded.folder, loaded.report.facet)
  if (
    copy !== null &&
    runFile !== reportFile(loaded.folder) &&
    resolve(copy) === resolve(reportFile(loaded.folder))
  )
    throw new ConfigError(
      `--html ${copy}: this file is the report by ${defaultFacet}, which --by does not replace. Choose another file.`,
      { code: 'reserved-file' },
    )
  const alone = copy === null || resolve(copy) === resolve(runFile)
  const file = alone || (await isWritableFile(runFile)) ? runFile : copy
  await writePage({ ...loaded, traces: traceSource(loaded.folder) }, { file, isSplit })
  if (alone || file === copy) return [file]
  await writeOutput(copy, createReadStream(file))
  const tracesOf = (path: string): string => join(dirname(path), traceFolder)
  if (isSplit) await cp(tracesOf(file), tracesOf(copy), { recursive: true })
  return [file, copy]
}

/** Writes a page, and its traces beside it when they are split from it. */
export async function writePage(
  input: HtmlInput,
  { file, isSplit }: { readonly file: string; readonly isSplit: boolean },
): Promise<void> {
  const { writeHtml, traceFolder } = await import('../report/html/html.ts')
  const traces = join(dirname(file), traceFolder)
  if (isSplit) await mkdir(traces, { recursive: true })
  const writeTrace = async (name: string, script: string): Promise<void> =>
    await writeOutput(join(traces, name), script)
  const pieces = writeHtml({ registry: scorers, ...input, ...(isSplit ? { writeTrace } : {}) })
  await writeOutput(file, pieces)
}

/** Larger files are slow to open and to send. */
const largeFileBytes = 25_000_000

/** Says that a report is a large file, and what makes it smaller. Returns null for other files. */
export async function readLargeReportNote(
  file: string,
  { folder, isSplit }: { readonly folder: string; readonly isSplit: boolean },
): Promise<string | null> {
  const { size } = await stat(file)
  if (size <= largeFileBytes) return null
  const fact = `${file} has ${Math.round(size / 1e6)} MB, more than ${largeFileBytes / 1e6} MB`
  if (isSplit)
    return `${fact}, without traces. 'tablehunt view ${folder}' shows it without loading all attempts`
  return `${fact}. 'tablehunt report ${folder} --split' writes the traces to a folder beside it`
}

/** What the source of a run of forks lost to each class; empty for other runs. */
function readLostShares(folder: string): { readonly lost?: Readonly<Record<string, number>> } {
  const plan = nameOwnPlanFolder(folder)
  const lost = existsSync(forkPlanPath(plan)) ? readForkPlan(plan).lost : undefined
  return lost === undefined ? {} : { lost }
}
