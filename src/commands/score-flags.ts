import { Option } from 'commander'
import { ConfigError } from '../core/errors.ts'
import { notAmong } from '../core/nearest.ts'
import { profiles } from '../score/registry.ts'

const profileNames = Object.keys(profiles)

function known(name: string): string {
  if (!profileNames.includes(name)) throw new ConfigError(`--profile: ${notAmong(name, profileNames)}`)
  return name
}

/** --profile NAME, once. */
export const profileFlag = (): Option =>
  new Option('--profile <NAME>', profileNames.join(', ')).default('aoe').argParser(known)

/** --profile NAME as often as wanted: a list, absent where none was given. */
export const profilesFlag = (): Option =>
  new Option('--profile <NAME>', `${profileNames.join(', ')}; may be given several times (aoe)`).argParser(
    (name: string, before: string[] | undefined) => [...(before ?? []), known(name)],
  )

export const judgeFlag = (): Option =>
  new Option('--judge <NAME>', 'rules, none, or a model').default('rules')
