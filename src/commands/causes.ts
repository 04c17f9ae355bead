import { parseOptions } from '../config.ts'
import { positive, size } from '../core/option-values.ts'
import type { RegisterCommand } from './command.ts'
import { readFlagValue } from './flag-value.ts'
import { forkRunFlags } from './fork.ts'
import { addFlagsNamed } from './run-flags.ts'

interface CausesFlags {
  readonly sample: string
  readonly repeat: string
  readonly sampleSeed: string
  readonly full?: boolean
}

/** Registers `causes`. */
export const registerCauses: RegisterCommand = (command, setExitCode) => {
  command
    .argument('<RUN>', 'the folder of a run')
    .option('--sample <N>', 'fork at most N attempts for each loss class', '10')
    .option('--repeat <N>', 'make N forks of each change, and N without a change', '1')
    .option('--sample-seed <N>', 'the seed of the sample', '0')
    .option('--full', 'print all tables')
  addFlagsNamed(command, forkRunFlags).action(async (folder: string, flags: CausesFlags) =>
    setExitCode(await printCauses(folder, flags)),
  )
}

async function printCauses(folder: string, flags: CausesFlags): Promise<number> {
  const { sample, repeat, sampleSeed, full, ...others } = flags
  const options = parseOptions(others)
  const { completeForkOptions, openSource } = await import('../run/fork/source-run.ts')
  const { planCauses } = await import('../run/fork/plan-causes.ts')
  const run = await openSource(folder)
  const config = await completeForkOptions(run, { ...options, out: folder, forks: folder })
  const { plan, sources, refusals } = await planCauses(run, config, {
    sample: readFlagValue('--sample', positive, sample),
    repeats: readFlagValue('--repeat', positive, repeat),
    seed: readFlagValue('--sample-seed', size, sampleSeed),
  })
  for (const refusal of refusals) process.stderr.write(`causes: not forked: ${refusal}\n`)
  const { makeForks } = await import('./make-forks.ts')
  return await makeForks({ run, options, plan, sources, suffix: 'causes', full: full === true })
}
