import { z } from 'zod/v4'
import { type AgentDefinitions, agentDefinitionsSchema } from '../../../agents/external/agent-definition.ts'
import { settings } from '../../../agents/registry.ts'
import { benchmarks } from '../../../tasks/registry.ts'
import { type SpreadsheetMapping, spreadsheetMappingSchema } from '../../../tasks/spreadsheet/mapping.ts'
import { ConfigError } from '../../core/errors.ts'
import { defineOption } from '../../core/option-spec.ts'
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

const option = defineOption('What to run')

const spreadsheetMapping = (z.unknown() as z.ZodType<unknown, SpreadsheetMapping>).transform(
  (value): SpreadsheetMapping => {
    const parsed = spreadsheetMappingSchema.safeParse(value)
    if (parsed.success) return parsed.data
    throw new ConfigError(describeZodProblem(parsed.error, 'mapping'), { code: 'spreadsheet-mapping' })
  },
)

const agentDefinitions = (z.unknown() as z.ZodType<unknown, AgentDefinitions>).transform(
  (value): AgentDefinitions => {
    const parsed = agentDefinitionsSchema.safeParse(value)
    if (parsed.success) return parsed.data
    throw new ConfigError(describeZodProblem(parsed.error, 'agents'), { code: 'agent-definition' })
  },
)

const models = texts.transform(names => {
  const several = names.find(name => /,\s*[a-z][\w-]*:/i.test(name))
  if (several === undefined) return names
  const flags = several.split(/,\s*(?=[a-z][\w-]*:)/i).map(name => `--model ${name}`)
  throw new ConfigError(`${several} is one name. Name each model by itself: ${flags.join(' ')}.`, {
    code: 'several-models',
  })
})

/** The options for tasks, settings, models and trials. */
export const whatOptions = {
  tasks: option('FILE', text, 'file or folder with the tasks, in the format of --benchmark', {
    recordedBy: 'contents',
    flag: 'common',
    commands: ['logs import'],
  }),
  out: option('RUN', text, 'folder of the run; the same folder again resumes it', {
    changes: 'course',
    flag: 'common',
    commands: ['demo'],
  }),
  plugins: option(
    'FILE|PACKAGE',
    textsOrNone,
    'load a plug-in: a TypeScript or JavaScript file, or an installed package; may be given several times (docs/plugins.md)',
    { repeats: true, recordedBy: 'contents', commands: ['tasks', 'web recall'] },
  ),
  docs: option(
    'DIR',
    optional(text),
    'folder with the documents of the tasks (online: only to measure discovery)',
    {
      recordedBy: 'contents',
      separates: ['offline', 'rag'],
      flag: 'common',
      commands: ['tasks', 'logs import', 'tools call', 'tools serve'],
    },
  ),
  benchmark: option('NAME', entryOf(benchmarks).default('aoe'), benchmarks.names().join(', '), {
    separates: [],
    flag: 'common',
    commands: ['tasks', 'logs import', 'web recall', 'tools call', 'tools serve'],
  }),
  spreadsheet: option(
    'JSON',
    optional(spreadsheetMapping),
    'for --benchmark spreadsheet: the meaning of the columns (docs/task-files.md)',
    { flag: 'none', commands: ['tasks', 'logs import'] },
  ),
  setting: option(
    'LIST',
    optional(entriesOf(settings)),
    `one or several of ${settings.names().join(', ')} (default: the benchmark's; see tablehunt info benchmarks)`,
    { separates: [], flag: 'common', commands: ['demo'] },
  ),
  model: option(
    'NAME',
    models.default(['extractive']),
    'model under test: PROVIDER:NAME or PROVIDER:NAME@URL; may be given several times',
    { repeats: true, recordedBy: 'contents', separates: [], flag: 'common', commands: ['demo'] },
  ),
  agents: option('JSON', agentDefinitions.default({}), 'programs that --agent can name (docs/agents.md)', {
    recordedBy: 'contents',
    flag: 'none',
  }),
  baseUrl: option('URL', optional(httpUrl), "address of the model's OpenAI-compatible server", {
    changes: 'course',
    commands: ['demo'],
  }),
  trials: option('N', atMost(10_000, positive).default(1), 'how often each arm tries each task', {
    separates: [],
    flag: 'common',
  }),
  seed: option('N', size.default(0), 'seed of all random choices', {
    separates: [],
    commands: ['score', 'logs import', 'tools call', 'tools serve'],
  }),
  concurrency: option('N', positive.default(4), 'how many attempts run at a time', {
    changes: 'course',
    commands: ['demo'],
  }),
  limit: option('N', optional(positive), 'only the first N tasks', {
    separates: [],
    flag: 'common',
    commands: ['demo'],
  }),
  filter: option('TEXT', optional(text), 'only tasks whose id or domain contains TEXT', {
    separates: [],
    commands: ['demo'],
  }),
} as const
