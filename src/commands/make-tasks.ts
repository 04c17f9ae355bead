import type { Command } from 'commander'
import { z } from 'zod/v4'
import { readFlagValue } from './flag-value.ts'
import { registerMakeStructext } from './make-structext.ts'

interface MakeFlags {
  readonly tables: string
  readonly out: string
  readonly seed: string
  readonly perKind: string
}

/** Registers `tasks make` with a command for each benchmark whose tasks can be made. */
export function registerMake(tasks: Command): void {
  const make = tasks
    .command('make')
    .description('make tasks with known answers, in the layout of a benchmark')
  make
    .command('longtablebench')
    .description('make questions about your own CSV tables, with answers from SQL')
    .requiredOption('--tables <DIR>', 'a folder with CSV files, or with folders of them')
    .requiredOption('--out <DIR>', 'a new folder for the tasks')
    .option('--seed <N>', 'equal seeds give equal tasks', '1')
    .option('--per-kind <N>', 'tasks of each kind, for each tier, single and multi turn each', '2')
    .action(makeLongTables)
  registerMakeStructext(make.command('structext'))
}

async function makeLongTables(flags: MakeFlags): Promise<void> {
  const { makeLongTableBench } = await import('../run/tasks/make-longtablebench.ts')
  const { emptyTiers, tasks, counts } = await makeLongTableBench({
    tables: flags.tables,
    out: flags.out,
    seed: readFlagValue('--seed', z.coerce.number().int().min(0), flags.seed),
    perKind: readFlagValue('--per-kind', z.coerce.number().int().min(1).max(10_000), flags.perKind),
  })
  const lines = Object.entries(counts).map(([name, count]) => `  ${name}: ${count}`)
  const missing = emptyTiers.map(
    tier => `No tasks for ${tier}: the tables are too small. Add rows or tables.`,
  )
  const head = `Made ${tasks} tasks in ${flags.out}. Run them with --benchmark longtablebench --tasks ${flags.out}.`
  process.stdout.write(`${[head, ...lines, ...missing].join('\n')}\n`)
}
