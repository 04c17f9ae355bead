import { Option } from 'commander'
import { ConfigError } from '../core/errors.ts'
import { notAmong } from '../core/nearest.ts'
import { profiles } from '../score/registry.ts'

const profileNames = Object.keys(profiles)

export const profileFlag = (): Option =>
  new Option('--profile <NAME>', `${profileNames.join(', ')}`).default('aoe').argParser((given: string) => {
    if (!profileNames.includes(given)) throw new ConfigError(`--profile: ${notAmong(given, profileNames)}`)
    return given
  })

export const judgeFlag = (): Option =>
  new Option('--judge <NAME>', 'rules, none, or a model').default('rules')
