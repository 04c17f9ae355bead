import type { ParsedOptions } from '../config.ts'
import { describeIntervention } from '../core/fork.ts'
import { makeCausalTables } from '../report/tables/causal-tables.ts'
import { renderTables } from '../report/tables/terminal.ts'
import { estimateForks, estimateLines } from '../run/fork/estimate-forks.ts'
import { forkTable } from '../run/fork/fork-table.ts'
import { nameOwnPlanFolder } from '../run/fork/plan-forks.ts'
import { completeForkOptions, type SourceAttempt, type SourceRun } from '../run/fork/source-run.ts'
import { writeForkPlan } from '../run/fork/write-plan.ts'
import type { ForkPlan } from '../run/plan/fork-plan.ts'
import { requireWritable } from '../system/files.ts'
import { readDistractors } from './run.ts'
import { runForTerminal } from './run-for-terminal.ts'
import { measureTerminal } from './terminal.ts'

/** Forks to make, and how their result is printed. */
interface ForksToMake {
  readonly run: SourceRun
  readonly options: ParsedOptions
  readonly plan: ForkPlan
  readonly sources: ReadonlyMap<string, SourceAttempt>
  /** The end of the name of the new run's folder, when --out does not name it. */
  readonly suffix: string
  readonly full: boolean
}

/**
 * Makes forks as a run of its own, or prints what they cost (--dry-run).
 *
 * @returns the exit code
 */
export async function makeForks({ run, options, plan, sources, suffix, full }: ForksToMake): Promise<number> {
  const out = typeof options.out === 'string' ? options.out : `${run.folder.replace(/\/+$/, '')}-${suffix}`
  const estimate = estimateForks(plan.forks, sources)
  if (options.dryRun === true) {
    const text =
      options.json === true ? JSON.stringify(estimate) : describePlan(plan, estimateLines(estimate))
    process.stdout.write(`${text}\n`)
    return 0
  }
  await requireWritable('--out', out)
  const forks = nameOwnPlanFolder(out)
  const config = await completeForkOptions(run, { ...withOpenedParts(options, run), out, forks })
  await writeForkPlan(run.folder, forks, plan)
  return await runForTerminal(config, {
    ...(await readDistractors(run.manifest)),
    config,
    full,
    async print(summary) {
      const causal = makeCausalTables(summary.report.causes)
      const tables = causal.length > 0 ? causal : [await forkTable(summary.folder, plan, sources)]
      process.stdout.write(renderTables(tables, { columns: measureTerminal() }))
      process.stderr.write(`${summary.folder}/report.html\n`)
    },
  })
}

/** The options of the run of forks, which must also open the services and models of its source. */
function withOpenedParts(options: ParsedOptions, { manifest }: SourceRun): ParsedOptions {
  if (manifest.source === 'import') return options
  const join = (name: 'model' | 'search') => {
    const value = options[name]
    if (!Array.isArray(value)) return {}
    return { [name]: [...new Set([...(manifest.config[name] as string[]), ...value])] }
  }
  return { ...options, ...join('search'), ...join('model') }
}

/** Lists the planned forks by what they are about and what they change. */
function describePlan({ forks }: ForkPlan, cost: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const { lossClass, intervention } of forks) {
    const name = `${lossClass === undefined ? '' : `${lossClass}: `}${describeIntervention(intervention)}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...[...counts].map(([name, count]) => `${String(count).padStart(5)}  ${name}`), ...cost].join('\n')
}
