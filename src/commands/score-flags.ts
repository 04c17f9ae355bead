import type { Command } from 'commander'
import { tableScorerNames } from '../../tasks/scorers.ts'
import { type Judge, noJudge, rulesJudge } from '../score/judge/judge.ts'
import { tell } from './tell.ts'

/** Adds --scorer to a command that uses one scorer of tables. */
export function addTableScorerFlag(command: Command): Command {
  return command.option('--scorer <NAME>', `the scorer: ${tableScorerNames().join(', ')} (aoe)`)
}

const judgeOptions = ['judge', 'judgeBatch', 'judgePrompts', 'requestTimeout', 'seed', 'cache'] as const

/** Adds the flags of a judge to a command that scores a batch. They do not import the modules of `runOptions`. */
export function addJudgeFlags(command: Command): Command {
  return command
    .option('--judge <NAME>', 'who aligns and judges answers: rules, none, or a model', 'rules')
    .option(
      '--judge-batch',
      'let a judge model judge the cells of one column in one call, when the scorer supports it (strict)',
    )
    .option('--judge-prompts <FILE>', "YAML file with AOE's published prompts of the evaluation")
    .option('--request-timeout <TIME>', 'longest time of a judge call (120s)')
    .option('--seed <N>', 'seed for the judge (0)')
    .option('--cache <DIR>', 'folder that keeps answers of the judge')
}

/** Opens the judge that the flags of a command name. */
export async function judgeOf(given: Readonly<Record<string, unknown>>): Promise<Judge> {
  if (given.judge === undefined || given.judge === 'rules') return rulesJudge
  if (given.judge === 'none') return noJudge
  const { resolveConfig } = await import('../config.ts')
  const { openCache } = await import('../run/open-run/open-cache.ts')
  const { openJudge } = await import('../run/open-run/judge.ts')
  const options = Object.fromEntries(judgeOptions.map(name => [name, given[name]]))
  const config = resolveConfig({ ...options, tasks: '-', out: '-' })
  const signal = new AbortController().signal
  const { env } = process
  return await openJudge({
    config,
    openCache: () => openCache({ cache: config.cache, env, tell }),
    env,
    signal,
  })
}
