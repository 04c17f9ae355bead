import { ConfigError } from '../../core/errors.ts'
import { parseThreshold } from '../../core/metric.ts'
import { describeUnknownName } from '../../core/nearest-name.ts'
import { optionOf } from '../../core/option-spec.ts'
import { entriesOf, optional, share, text, textsOrNone, toggle } from '../../core/option-values.ts'
import { modelProviders } from '../../models/registry.ts'
import { scorers } from '../../score/registry.ts'

const option = optionOf('scoring')

const judge = text.transform(given => {
  const known = ['rules', 'none', ...modelProviders.names()]
  if (given.includes(':') || known.includes(given)) return given
  throw new ConfigError(describeUnknownName(given, ['rules', 'none', 'PROVIDER:NAME']))
})

const thresholds = textsOrNone.transform(given => {
  for (const one of given) parseThreshold(one)
  return given
})

/** How answers are scored. */
export const scoringOptions = {
  judge: option(
    'NAME',
    judge.default('rules'),
    'rules, none, or a model (PROVIDER:NAME@URL for a server of its own)',
  ),
  judgeBatch: option(
    null,
    toggle,
    'ask a judge model for the cells of one column at once, where the scorer allows it (strict)',
  ),
  scorer: option(
    'LIST',
    optional(entriesOf(scorers)),
    `how answers are scored, one or several of ${scorers.names().join(', ')} (default: the benchmark's)`,
    { repeats: true },
  ),
  successAt: option(
    'SHARE',
    optional(share),
    'an attempt succeeds when its primary metric is at least this share (when every item is right)',
  ),
  failUnder: option(
    'METRIC=VALUE',
    thresholds,
    'exit code 1 where an arm is worse than that, such as answered=0.9; may be given several times',
    { repeats: true },
  ),
} as const
