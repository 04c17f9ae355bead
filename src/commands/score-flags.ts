import { type Command, Option } from 'commander'
import { type Judge, noJudge, rulesJudge } from '../score/judge/judge.ts'
import { tableScorerNames } from '../score/registry.ts'

/** --scorer NAME of a command that scores one way, with the name that it had in earlier versions. */
export function addTableScorerFlag(command: Command): Command {
  return command
    .option('--scorer <NAME>', `${tableScorerNames().join(', ')} (aoe)`)
    .addOption(new Option('--profile <NAME>', 'the same').hideHelp())
}

const judgeOptions = ['judge', 'judgeBatch', 'requestTimeout', 'seed', 'cache'] as const

/** What a command that scores a batch needs to ask a judge; written out, so that nothing is imported for judges of rules. */
export function addJudgeFlags(command: Command): Command {
  return command
    .option('--judge <NAME>', 'rules, none, or a model', 'rules')
    .option('--judge-batch', 'ask for the cells of one column at once, where the scorer allows it (strict)')
    .option('--request-timeout <TIME>', 'for one answer of the judge (120s)')
    .option('--seed <N>', 'sent to the judge (0)')
    .option('--cache <DIR>', 'judge answers are kept there')
}

/** The judge that a command's flags name. */
export async function judgeOf(given: Readonly<Record<string, unknown>>): Promise<Judge> {
  if (given.judge === undefined || given.judge === 'rules') return rulesJudge
  if (given.judge === 'none') return noJudge
  const { resolveConfig } = await import('../config.ts')
  const { openCache } = await import('../run/resources/open-cache.ts')
  const { openJudge } = await import('../run/resources/judge.ts')
  const options = Object.fromEntries(judgeOptions.map(name => [name, given[name]]))
  const config = resolveConfig({ ...options, tasks: '-', out: '-' })
  const signal = new AbortController().signal
  const { env } = process
  const tell = (line: string): void => void process.stderr.write(`${line}\n`)
  return await openJudge({
    config,
    openCache: () => openCache({ given: config.cache, env, tell }),
    env,
    signal,
  })
}
