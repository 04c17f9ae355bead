import { scorers } from '../../tasks/registry.ts'
import { makeAttemptPage } from '../report/html/attempt-page.ts'
import { createForkLister } from '../report/html/fork-tree.ts'
import { collectPageData, renderHtml, renderIndex } from '../report/html/html.ts'
import { writeUnfinishedNote } from '../report/model/report-notes.ts'
import { loadComparison } from './compare-folders.ts'
import { readComparisonInput } from './comparison-page.ts'
import { makeFolderPlace } from './pack/open-places.ts'
import { type LoadedReport, readReport } from './report-run.ts'
import type { RunWatch } from './view/run-watch.ts'
import { serveView, type ViewComparison, type ViewPages, type ViewServer } from './view/server.ts'
import { WatchedFolder } from './view/watched-folder.ts'

/**
 * Serves the runs of a folder, or one run, on 127.0.0.1.
 *
 * @param port 0 chooses a free port
 * @throws DataError [no-runs] ConfigError [port-not-available]
 */
export async function viewRuns(folder: string, port: number): Promise<ViewServer> {
  const runs = await WatchedFolder.open(folder)
  return await serveView({ runs, pages: createPages(folder), port })
}

/** Leaves out that a run is not finished while it is under way, because the page says how far it is. */
function describeUnderWay(loaded: LoadedReport, run: RunWatch): LoadedReport {
  if (run.progress().state !== 'running') return loaded
  const { report, records } = loaded
  const unfinished = writeUnfinishedNote(records.manifest, records.attempts)
  return { ...loaded, report: { ...report, notes: report.notes.filter(note => note !== unfinished) } }
}

/** Compares runs for their page. Different webs and judges are pooled, and the notes of the page say so. */
async function openComparison(folders: readonly string[]): Promise<ViewComparison> {
  const input = await readComparisonInput(await loadComparison(folders.map(makeFolderPlace), { force: true }))
  const ids = new Set(input.records.attempts.map(({ attemptId }) => attemptId))
  return {
    page: () => renderHtml({ ...input, served: { kind: 'comparison' } }),
    traces: input.traces,
    async attempt(id) {
      if (!ids.has(id)) return null
      const whole = await input.wholeOf(id)
      const task = input.tasks.get(whole.attempt.taskId) ?? null
      const data = await makeAttemptPage(
        { ...whole, scorers: input.report.scorers, registry: scorers },
        task,
        null,
      )
      return { ...data, id }
    },
  }
}

function createPages(folder: string): ViewPages {
  const reports = new Map<string, { readonly position: string; readonly loaded: Promise<LoadedReport> }>()
  /** Reads the report again when the run has more records. */
  const reportOf = (run: RunWatch): Promise<LoadedReport> => {
    const cachedReport = reports.get(run.name)
    if (cachedReport?.position === run.position) return cachedReport.loaded
    const loaded = readReport(run.folder).then(report => describeUnderWay(report, run))
    reports.set(run.name, { position: run.position, loaded })
    loaded.catch(() => reports.delete(run.name))
    return loaded
  }
  const comparisons = new Map<string, Promise<ViewComparison>>()
  return {
    comparison: watches => {
      const key = JSON.stringify(watches.map(({ name, position }) => [name, position]))
      const comparison = comparisons.get(key) ?? openComparison(watches.map(run => run.folder))
      // One comparison is in memory: a page asks for its attempts one by one.
      comparisons.clear()
      comparisons.set(key, comparison)
      comparison.catch(() => comparisons.clear())
      return comparison
    },
    index: () => renderIndex({ folder }),
    report: async (run, served) => await renderHtml({ ...(await reportOf(run)), served }),
    data: async run => collectPageData(await reportOf(run)),
    attempt: async (run, attemptId) => {
      const whole = run.wholeOf(attemptId)
      if (whole === null) return null
      // The tasks and scorers of a run do not change, so any of its reports has them.
      const { report, records, tasks } = await (reports.get(run.name)?.loaded ?? reportOf(run))
      const task = tasks.get(whole.attempt.taskId) ?? null
      const forks = createForkLister(records)(whole.attempt)
      return await makeAttemptPage(
        { ...whole, scorers: report.scorers, registry: scorers, forks },
        task,
        null,
      )
    },
  }
}
