import { armPerElement, optionOf } from '../src/core/option-spec.ts'
import { entriesOf, textsOrNone } from '../src/core/option-values.ts'
import { searchServices } from '../tools/search/registry.ts'
import { agents } from './agent-registry.ts'
import { agentNameOf } from './external/agent-definition.ts'

const option = optionOf('online')

/** The agent of a run that names none. */
export const defaultAgent = 'tablehunt'

/** The search service of a run that names none. */
export const defaultSearch = 'serper'

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
  search: option(
    'LIST',
    entriesOf(searchServices).default([defaultSearch]),
    `the search service: ${searchServices.names().join(', ')}; each of several values is a variant`,
    {
      // A single service is no variant, whichever it is: the manifest names it.
      arms: given =>
        given.length === 1 ? [{ value: given[0], shown: null }] : armPerElement(defaultSearch)(given),
    },
  ),
} as const
