import { armPerElement, optionOf } from '../src/core/option-spec.ts'
import { textsOrNone } from '../src/core/option-values.ts'
import { agents } from './agent-registry.ts'

const option = optionOf('online')

/** Options of the online setting. */
export const onlineOptions = {
  agent: option(
    'NAME',
    textsOrNone.transform(given => (given.length === 0 ? ['tablehunt'] : given)),
    `who searches: ${agents.names().join(', ')}, a name from the config file, or 'command: PROGRAM ARGUMENTS'; may be given several times, and each is a variant`,
    { repeats: true, arms: armPerElement('tablehunt') },
  ),
} as const
