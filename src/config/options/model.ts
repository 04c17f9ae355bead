import { defineOption, oneArm } from '../../core/option-spec.ts'
import {
  duration,
  listOf,
  oneOf,
  optional,
  positive,
  share,
  text,
  texts,
  textsOrNone,
  toggle,
  weight,
} from '../../core/option-values.ts'
import { parseRequestFields } from '../../models/request-fields.ts'

const option = defineOption('Model')

/** Fields of requests. They are checked here, and parsed when the models are opened. */
const requestFields = textsOrNone.transform(input => {
  parseRequestFields(input)
  return input
})

const temperature = weight.refine(read => read <= 2, 'at most 2')
/** The values of OpenAI-compatible services. Which of them are valid depends on the model. */
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** The options for the models under test. */
export const modelOptions = {
  contextWindow: option('N', optional(positive), "size of the model's context window in tokens", {
    commands: ['demo'],
  }),
  temperature: option(
    'X',
    optional(temperature),
    "sampling temperature (default: recommended by the model's maker, otherwise the server's)",
    { arms: oneArm<number | null>(null) },
  ),
  topP: option(
    'X',
    optional(share),
    'nucleus sampling: share of the probability that tokens are drawn from',
    { arms: oneArm<number | null>(null) },
  ),
  maxOutputTokens: option('N', optional(positive), 'most output tokens of a model call', {
    commands: ['demo'],
    arms: oneArm<number | null>(null),
  }),
  reasoningEffort: option(
    'X',
    optional(oneOf(efforts)),
    `effort of reasoning models: ${efforts.join(', ')}`,
    { arms: oneArm<string | null>(null) },
  ),
  requestField: option(
    'NAME=VALUE',
    requestFields,
    'add a field to each model request, such as presence_penalty=1.1; may be given several times (docs/models.md)',
    { repeats: true },
  ),
  cot: option(
    'LIST',
    listOf(['on', 'off']).default(['on']),
    'ask for chain of thought: on, off, or on,off for both',
    { separates: [] },
  ),
  prompts: option(
    'FILE',
    optional(texts),
    "own, aoe-conventions (own with AOE's form of answer), or a YAML file with published prompts of any benchmark (docs/prompts.md); may be given several times, each is an arm (default: the benchmark's)",
    { repeats: true, recordedBy: 'contents', separates: [] },
  ),
  showColumns: option(null, toggle, "name the task's key columns in the prompt (an arm of its own)", {
    arms: value => [{ value, shown: value ? 'on' : null }],
  }),
  toolProtocol: option(
    'HOW',
    oneOf(['auto', 'native', 'text']).default('auto'),
    'tool calls by the API of the model (native) or in its text (text): auto, native, text',
    { commands: ['demo'], arms: oneArm<string>('auto') },
  ),
  requestTimeout: option('TIME', duration.default(120_000), 'longest time of a model call, such as 120s', {
    changes: 'course',
    commands: ['demo', 'score', 'logs import'],
  }),
  prices: option('FILE', optional(text), 'JSON file with US dollars per million tokens, by model', {
    recordedBy: 'contents',
  }),
} as const
