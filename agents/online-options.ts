import { armPerElement, optionOf } from '../src/core/option-spec.ts'
import { isoDate, optional, textsOrNone, valuesOf } from '../src/core/option-values.ts'
import { agents } from './agent-registry.ts'
import { contextPolicyForms, readContextPolicy } from './context-policies/registry.ts'
import { agentNameOf } from './external/agent-definition.ts'
import { defaultNoProgressTurns } from './progress.ts'

const option = optionOf('online')

/** The agent of a run that names none. */
export const defaultAgent = 'tablehunt'

/** Reads a value of --no-progress; null when it is not valid. */
function readNoProgress(given: string): number | 'off' | null {
  if (given === 'off') return given
  return /^[1-9]\d{0,5}$/.test(given) ? Number(given) : null
}

/** External agents have their own loop. */
const isOwnAgent = ({ agent }: Readonly<Record<string, unknown>>): boolean => agent === defaultAgent

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
  contextPolicy: option(
    'POLICY',
    valuesOf(contextPolicyForms, value => readContextPolicy(value)?.name ?? null).default(['shorten']),
    `what happens when the conversation outgrows the context window: ${contextPolicyForms.join(', ')}; each of several values is a variant (docs/context-policies.md)`,
    { repeats: true, arms: armPerElement('shorten'), appliesTo: isOwnAgent },
  ),
  noProgress: option(
    'N|off',
    valuesOf(['a number of turns', 'off'], readNoProgress).default([defaultNoProgressTurns]),
    'end an attempt that repeats itself, after a note to the agent at N turns without a new query, address or text; off lets it go on; each of several values is a variant',
    {
      repeats: true,
      arms: armPerElement<number | 'off'>(defaultNoProgressTurns),
      appliesTo: isOwnAgent,
    },
  ),
  date: option(
    'YYYY-MM-DD',
    optional(isoDate),
    "the date that the agent's prompt states; by default the day on which the run began, or on which a replayed web was recorded",
  ),
} as const
