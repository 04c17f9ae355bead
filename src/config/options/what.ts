import { z } from 'zod/v4'
import { type AgentDefinitions, agentDefinitionsSchema } from '../../../agents/external/agent-definition.ts'
import { settings } from '../../../agents/registry.ts'
import { benchmarks } from '../../../tasks/registry.ts'
import { type SpreadsheetMapping, spreadsheetMappingSchema } from '../../../tasks/spreadsheet/mapping.ts'
import { ConfigError } from '../../core/errors.ts'
import { optionOf } from '../../core/option-spec.ts'
import {
  atMost,
  entriesOf,
  entryOf,
  httpUrl,
  optional,
  positive,
  size,
  text,
  texts,
  textsOrNone,
} from '../../core/option-values.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { jsonOrNull } from '../../text/json.ts'

const option = optionOf('what')

/** The mapping: an object, or JSON text from a flag or a variable. */
const spreadsheetMapping = (z.unknown() as z.ZodType<unknown, SpreadsheetMapping | string>).transform(
  (given): SpreadsheetMapping => {
    const value = typeof given === 'string' ? jsonOrNull(given) : given
    const parsed = spreadsheetMappingSchema.safeParse(value)
    if (parsed.success) return parsed.data
    throw new ConfigError(describeZodProblem(parsed.error, 'mapping'), { code: 'spreadsheet-mapping' })
  },
)

/** Agents as an object, or as JSON text from a flag or a variable. */
const agentDefinitions = (z.unknown() as z.ZodType<unknown, AgentDefinitions | string>).transform(
  (given): AgentDefinitions => {
    const value = typeof given === 'string' ? jsonOrNull(given) : given
    const parsed = agentDefinitionsSchema.safeParse(value)
    if (parsed.success) return parsed.data
    throw new ConfigError(describeZodProblem(parsed.error, 'agents'), { code: 'agent-definition' })
  },
)

/** The options for tasks, settings, models and trials. */
export const whatOptions = {
  tasks: option('FILE', text, 'file or folder with the tasks, in the format of --benchmark'),
  out: option('RUN', text, 'folder of the run; the same folder again resumes it'),
  plugins: option(
    'FILE|PACKAGE',
    textsOrNone,
    'load a plug-in: a TypeScript or JavaScript file, or an installed package; may be given several times (docs/plugins.md)',
    { repeats: true },
  ),
  docs: option(
    'DIR',
    optional(text),
    'folder with the documents of the tasks (online: only to measure discovery)',
  ),
  benchmark: option('NAME', entryOf(benchmarks).default('aoe'), benchmarks.names().join(', ')),
  spreadsheet: option(
    'JSON',
    optional(spreadsheetMapping),
    'for --benchmark spreadsheet: the meaning of the columns; an object in the config file, JSON as a flag (docs/task-files.md)',
  ),
  setting: option(
    'LIST',
    optional(entriesOf(settings)),
    `one or several of ${settings.names().join(', ')} (default: the benchmark's; see tablehunt benchmarks)`,
  ),
  model: option(
    'NAME',
    texts.default(['extractive']),
    'model under test: PROVIDER:NAME or PROVIDER:NAME@URL; may be given several times',
    { repeats: true },
  ),
  agents: option(
    'JSON',
    agentDefinitions.default({}),
    'programs that --agent can name: an object in the config file, JSON as a flag (docs/agents.md)',
  ),
  baseUrl: option('URL', optional(httpUrl), "address of the model's OpenAI-compatible server"),
  trials: option('N', atMost(10_000, positive).default(1), 'how often each arm tries each task'),
  seed: option('N', size.default(0), 'seed of all random choices'),
  concurrency: option('N', positive.default(4), 'how many attempts run at a time'),
  limit: option('N', optional(positive), 'only the first N tasks'),
  filter: option('TEXT', optional(text), 'only tasks whose id or domain contains TEXT'),
} as const
