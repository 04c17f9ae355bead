import { ConfigError } from '../../core/errors.ts'
import { notAmong } from '../../core/nearest.ts'
import { modelProviders } from '../../models/registry.ts'
import { profiles } from '../../score/registry.ts'
import { optionOf } from '../option-spec.ts'
import { names, oneOf, text, toggle } from '../values.ts'

const option = optionOf('scoring')

const judge = text.transform(given => {
  const known = ['rules', 'none', ...names(modelProviders)]
  if (given.includes(':') || known.includes(given)) return given
  throw new ConfigError(notAmong(given, ['rules', 'none', 'PROVIDER:NAME']))
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
    'ask a judge model for the cells of one column at once, where the profile allows it (strict)',
  ),
  profile: option('NAME', oneOf(names(profiles)).default('aoe'), names(profiles).join(', ')),
} as const
