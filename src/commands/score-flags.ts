import { type Command, Option } from 'commander'
import { entryOf } from '../config/values.ts'
import { type Judge, noJudge, rulesJudge } from '../score/judge/judge.ts'
import { profiles } from '../score/registry.ts'
import { flagValue } from './flag-value.ts'
import { mayRepeat } from './single-values.ts'

/** Refuses names that are none. To be called by the action: plug-ins, which add names, are loaded just before it. */
export function requireProfiles(names: readonly string[]): void {
  for (const name of names) flagValue('--profile', entryOf(profiles), name)
}

/** --profile NAME, once. */
export const profileFlag = (): Option =>
  new Option('--profile <NAME>', profiles.names().join(', ')).default('aoe')

/** --profile NAME as often as wanted: a list, absent where none was given. */
export const profilesFlag = (): Option =>
  mayRepeat(
    new Option(
      '--profile <NAME>',
      `${profiles.names().join(', ')}; may be given several times (aoe)`,
    ).argParser((name: string, before: string[] | undefined) => [...(before ?? []), name]),
  )

const judgeOptions = ['judge', 'judgeBatch', 'requestTimeout', 'seed', 'cache'] as const

/** What a command that scores a batch needs to ask a judge; written out, so that nothing is imported for judges of rules. */
export function addJudgeFlags(command: Command): Command {
  return command
    .option('--judge <NAME>', 'rules, none, or a model', 'rules')
    .option('--judge-batch', 'ask for the cells of one column at once, where the profile allows it (strict)')
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
