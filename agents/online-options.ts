import { armPerElement, optionOf } from '../src/core/option-spec.ts'
import { listOf, textsOrNone } from '../src/core/option-values.ts'
import { agents } from './agent-registry.ts'
import { agentNameOf } from './external/agent-definition.ts'

const option = optionOf('online')

/** The values of `--keep-reasoning`. */
export const keepReasoningValues = ['auto', 'on', 'off'] as const

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
      arms: given =>
        given.map(value => ({ value, shown: value === defaultAgent ? null : agentNameOf(value) })),
    },
  ),
  keepReasoning: option(
    'LIST',
    listOf(keepReasoningValues).default(['auto']),
    "send the model's reasoning back to it: auto (as its maker advises), on, off; each of several values is a variant",
    { arms: armPerElement<(typeof keepReasoningValues)[number]>('auto') },
  ),
} as const
