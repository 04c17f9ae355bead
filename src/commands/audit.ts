import type { RegisterCommand } from './command.ts'
import { printJson } from './terminal.ts'

interface AuditFlags {
  readonly sample?: string
  readonly seed: string
  readonly scorer?: string
  readonly judge?: string
  readonly sheet?: string
  readonly secondSheet?: string
  readonly new?: boolean
  readonly json?: boolean
}

/** Registers `auditForTerminal`. */
export const registerAudit: RegisterCommand = command => {
  command
    .argument('<RUN>', 'the folder of a run')
    .option(
      '--sample <N>',
      'write a sheet with N judged items for a person to mark; an existing sheet is read instead',
    )
    .option('--sheet <FILE>', 'the sheet (RUN/audit.csv)')
    .option(
      '--second-sheet <FILE>',
      "a second person's copy of the sheet (default: column mark2 of the sheet)",
    )
    .option('--new', 'replace an existing sheet')
    .option('--scorer <NAME>', 'only items of this scorer')
    .option('--judge <NAME>', 'only items of this judge')
    .option('--seed <N>', 'seed of the sample', '0')
    .option('--json', 'print JSON')
    .action(async (folder: string, flags: AuditFlags) => await auditForTerminal(folder, flags))
}

async function auditForTerminal(folder: string, flags: AuditFlags): Promise<void> {
  const { readFlagValue } = await import('./flag-value.ts')
  const { positive, size } = await import('../core/option-values.ts')
  const { auditRun } = await import('../run/scores/audit.ts')
  const result = await auditRun(folder, {
    sample: flags.sample === undefined ? null : readFlagValue('--sample', positive, flags.sample),
    seed: readFlagValue('--seed', size, flags.seed),
    scorer: flags.scorer ?? null,
    judge: flags.judge ?? null,
    sheet: flags.sheet ?? null,
    secondSheet: flags.secondSheet ?? null,
    anew: flags.new === true,
  })
  if (flags.json === true) return printJson(result)
  const { formatAudit } = await import('../report/tables/audit-text.ts')
  process.stdout.write(formatAudit(result, folder))
}
