import { optionOf } from '../src/core/option-spec.ts'
import { textsOrNone } from '../src/core/option-values.ts'
import { agents } from './agent-registry.ts'
import { agentNamesOf } from './external/agent-definition.ts'

const option = optionOf('online')

/** The agent of a run that names none. */
export const defaultAgent = 'tablehunt'

/** Options of the online setting. */
export const onlineOptions = {
  agent: option(
    'NAME',
    textsOrNone.transform(given => (given.length === 0 ? [defaultAgent] : given)),
    `who searches: ${agents.names().join(', ')} (the default), a name from the config file, or 'command: PROGRAM ARGUMENTS'; may be given several times, and each is a variant (docs/your-own-agent.md)`,
    {
      repeats: true,
      arms: given => {
        const names = agentNamesOf(given)
        return given.map((value, at) => ({ value, shown: value === defaultAgent ? null : names[at]! }))
      },
    },
  ),
} as const
