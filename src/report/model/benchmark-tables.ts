import { groupBy } from '../../core/group-by.ts'
import type { Table } from '../../core/table.ts'
import type { BenchmarkTables, TableInput } from '../../core/table-layout.ts'
import { nameModels } from './arm-names.ts'
import { type Entry, groupByKey } from './entries.ts'
import { nameScoring } from './scorings.ts'

/** The tables of each benchmark, by its name. */
export type RunBenchmarks = Readonly<Record<string, BenchmarkTables>>

/** Which of a benchmark's own tables are made. */
interface BenchmarkTableChoice {
  readonly kind: 'reportTables' | 'compareTables'
  readonly isReasoning?: TableInput['isReasoning']
}

/** Makes the own tables of the attempts' benchmarks, for each scorer and judge. Leaves out tables without rows. */
export function makeBenchmarkTables(
  entries: readonly Entry[],
  benchmarks: RunBenchmarks,
  { kind, isReasoning = null }: BenchmarkTableChoice,
): Table[] {
  const tables = Object.entries(benchmarks).flatMap(([name, benchmark]) => {
    const scorings = groupBy(
      entries.filter(({ attempt }) => attempt.benchmark === name),
      ({ key }) => nameScoring(key),
    )
    return [...scorings].flatMap(([scoring, group]) => {
      const arms = groupByKey(group).map(({ key: { setting, model, options }, entries: attempts }) => ({
        ...{ setting, model, options, attempts },
      }))
      const { of: shortModel } = nameModels(arms)
      const input = { scorer: group[0]!.key.scorer, arms, shortModel, isReasoning }
      return (benchmark[kind]?.(input) ?? []).map(table => ({
        ...table,
        title: kind === 'reportTables' ? `${table.title} (${scoring})` : `${table.title}, ${scoring}`,
      }))
    })
  })
  return withDistinctIds(tables.filter(({ rows }) => rows.length > 0))
}

/** Adds a number to ids that earlier tables have: `table5-2`. */
function withDistinctIds(tables: readonly Table[]): Table[] {
  return tables.map((table, at) => {
    const earlier = tables.slice(0, at).filter(({ id }) => id === table.id).length
    return table.id === undefined || earlier === 0 ? table : { ...table, id: `${table.id}-${earlier + 1}` }
  })
}
