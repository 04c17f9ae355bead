import { optionOf } from '../../core/option-spec.ts'
import {
  duration,
  listOf,
  oneOf,
  optional,
  positive,
  share,
  text,
  texts,
  toggle,
  weight,
} from '../../core/option-values.ts'

const option = optionOf('model')

const temperature = weight.refine(read => read <= 2, 'at most 2')
/** What OpenAI-compatible services take; which of them depends on the model. */
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** How the models under test are asked. */
export const modelOptions = {
  contextWindow: option('N', optional(positive), "the model's window in tokens"),
  temperature: option('X', temperature.default(0), 'sampling temperature'),
  topP: option('X', optional(share), 'nucleus sampling'),
  maxOutputTokens: option('N', optional(positive), "cap on each answer's tokens"),
  reasoningEffort: option('X', optional(oneOf(efforts)), `passed to reasoning models: ${efforts.join(', ')}`),
  cot: option(
    'LIST',
    listOf(['on', 'off']).default(['on']),
    'chain of thought asked for: on, off, or on,off for both',
  ),
  prompts: option(
    'FILE',
    optional(texts),
    "own, aoe-conventions (ours with the form of answer that AOE prescribes), or a YAML file of AOE's published prompts; may be given several times, and each is a variant (default: the benchmark's)",
    { repeats: true },
  ),
  showColumns: option(null, toggle, "name the task's key columns in the prompt; a variant of its own"),
  toolProtocol: option(
    'HOW',
    oneOf(['auto', 'native', 'text']).default('auto'),
    'tool calls by the API or through text: auto, native, text',
  ),
  requestTimeout: option('TIME', duration.default(120_000), 'for one answer of the model, such as 120s'),
  prices: option('FILE', optional(text), 'US dollars a million tokens by model, JSON'),
} as const
