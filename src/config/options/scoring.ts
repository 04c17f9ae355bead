import { profiles } from '../../score/registry.ts'
import { optionOf } from '../option-spec.ts'
import { names, oneOf, text, toggle } from '../values.ts'

const option = optionOf('scoring')

/** How answers are scored. */
export const scoringOptions = {
  judge: option(
    'NAME',
    text.default('rules'),
    'rules, none, or a model (PROVIDER:NAME@URL for a server of its own)',
  ),
  judgeBatch: option(
    null,
    toggle,
    'ask a judge model for the cells of one column at once, where the profile allows it (strict)',
  ),
  profile: option('NAME', oneOf(names(profiles)).default('aoe'), names(profiles).join(', ')),
} as const
