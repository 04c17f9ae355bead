import { z } from 'zod/v4'
import { settings } from '../../../agents/registry.ts'
import { benchmarks } from '../../../tasks/registry.ts'
import { type SpreadsheetMapping, spreadsheetMappingSchema } from '../../../tasks/spreadsheet-mapping.ts'
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
import { zodProblemOf } from '../../core/zod-problems.ts'
import { jsonOrNull } from '../../text/json.ts'

const option = optionOf('what')

/** The mapping as an object, or as JSON text from a flag or a variable. */
const spreadsheetMapping = (z.unknown() as z.ZodType<unknown, SpreadsheetMapping | string>).transform(
  (given): SpreadsheetMapping => {
    const value = typeof given === 'string' ? jsonOrNull(given) : given
    const parsed = spreadsheetMappingSchema.safeParse(value)
    if (parsed.success) return parsed.data
    throw new ConfigError(zodProblemOf(parsed.error, 'mapping'), { code: 'spreadsheet-mapping' })
  },
)

/** What is run: tasks, settings, models, repeats. */
export const whatOptions = {
  tasks: option('FILE', text, 'the tasks, in the format of --benchmark'),
  out: option('RUN', text, "the run's folder; the same one again goes on where it stopped"),
  plugins: option(
    'FILE|PACKAGE',
    textsOrNone,
    'a plug-in: a TypeScript or JavaScript file, or an installed package; may be given several times (docs/plugins.md)',
    { repeats: true },
  ),
  docs: option(
    'DIR',
    optional(text),
    "the tasks' documents by file name (online: only to measure discovery)",
  ),
  benchmark: option('NAME', entryOf(benchmarks).default('aoe'), benchmarks.names().join(', ')),
  spreadsheet: option(
    'JSON',
    optional(spreadsheetMapping),
    'for --benchmark spreadsheet: what the columns are; an object in the config file, JSON as a flag (docs/your-own-tasks.md)',
  ),
  setting: option(
    'LIST',
    optional(entriesOf(settings)),
    `${settings.names().join(',')} (default: the benchmark's; see tablehunt benchmarks)`,
  ),
  model: option(
    'NAME',
    texts.default(['extractive']),
    'a model under test, PROVIDER:NAME or PROVIDER:NAME@URL; may be given several times',
    { repeats: true },
  ),
  baseUrl: option('URL', optional(httpUrl), "the model's OpenAI-compatible server"),
  trials: option('N', atMost(10_000, positive).default(1), 'tries at each task'),
  seed: option('N', size.default(0), 'of every choice made at random'),
  concurrency: option('N', positive.default(4), 'attempts that run at a time'),
  limit: option('N', optional(positive), 'the first N tasks only'),
  filter: option('TEXT', optional(text), 'only tasks whose id or domain holds TEXT'),
} as const
