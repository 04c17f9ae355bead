import { scorers } from '../../../tasks/registry.ts'
import { ConfigError } from '../../core/errors.ts'
import { parseThreshold } from '../../core/metric.ts'
import { describeUnknownName } from '../../core/nearest-name.ts'
import { defineOption } from '../../core/option-spec.ts'
import { entriesOf, optional, share, text, textsOrNone, toggle } from '../../core/option-values.ts'
import { modelProviders } from '../../models/registry.ts'

const option = defineOption('Scoring', { commands: ['score', 'logs import'] })

const judge = text.transform(input => {
  const judgeNames = ['rules', 'none', ...modelProviders.names()]
  if (input.includes(':') || judgeNames.includes(input)) return input
  throw new ConfigError(describeUnknownName(input, ['rules', 'none', 'PROVIDER:NAME']), {
    code: 'invalid-option',
  })
})

const thresholds = textsOrNone.transform(input => {
  for (const entry of input) parseThreshold(entry)
  return input
})

/** The options for scoring. */
export const scoringOptions = {
  judge: option(
    'NAME',
    judge.default('rules'),
    'who aligns and judges answers: rules, none, or a model (PROVIDER:NAME@URL for a server of its own)',
    { separates: [], flag: 'common' },
  ),
  judgeBatch: option(
    null,
    toggle,
    'let a judge model judge the cells of one column in one call, when the scorer supports it (strict)',
    { separates: [] },
  ),
  judgePrompts: option(
    'FILE',
    optional(text),
    "YAML file with AOE's published prompts of the evaluation, for a judge model and the scorers aoe and paper",
    { recordedBy: 'contents', separates: [], flag: 'none' },
  ),
  scorer: option(
    'LIST',
    optional(entriesOf(scorers)),
    `one or several of ${scorers.names().join(', ')} (default: the benchmark's)`,
    { repeats: true, separates: [] },
  ),
  successAt: option(
    'SHARE',
    optional(share),
    'the least value of the primary metric for a success (default: every item is right)',
  ),
  allowMissingDocuments: option(
    null,
    toggle,
    'score attempts that lacked documents of their task, which are otherwise left unscored',
    { commands: ['score'] },
  ),
  failUnder: option(
    'METRIC=VALUE',
    thresholds,
    'end with exit code 1 when an arm is worse, such as answered=0.9; may be given several times',
    { repeats: true, changes: 'display', commands: ['report'] },
  ),
} as const
