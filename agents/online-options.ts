import { oneArm, optionOf } from '../src/core/option-spec.ts'
import { entriesOf, optional, text, textsOrNone, toggle } from '../src/core/option-values.ts'
import { optionalTools, tools } from '../tools/registry.ts'
import { agents } from './agent-registry.ts'
import { agentNameOf } from './external/agent-definition.ts'

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
      arms: given =>
        given.map(value => ({ value, shown: value === defaultAgent ? null : agentNameOf(value) })),
    },
  ),
  goalReading: option(
    null,
    toggle,
    'fetch_page and read_pdf take a goal: a model reads the page for it and returns quotes, charged to the attempt (docs/online.md)',
    { arms: oneArm(false) },
  ),
  readerModel: option(
    'NAME',
    optional(text),
    'with --goal-reading: the model that reads pages (default: the model under test)',
    { arms: oneArm<string | null>(null) },
  ),
  tools: option(
    'NAME,…',
    optional(entriesOf(tools)),
    `the tools of the agent: ${tools.names().join(', ')}, and those of plug-ins (default: all but ${optionalTools().join(' and ')})`,
    { arms: value => [{ value, shown: value?.join('+') ?? null }] },
  ),
} as const
