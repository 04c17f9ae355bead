import type { Attempt } from '../../core/attempt.ts'
import { ConfigError } from '../../core/errors.ts'
import { describeUnknownName } from '../../core/nearest-name.ts'

/** The facet by which reports group where none is asked for. */
export const defaultFacet = 'domain'

/** The facet of what kind of answer a task asks for, as its benchmark names it. */
export const taskTypeFacet = 'taskType'

/** The group of attempts without a value of a facet. */
const withoutValue = '(none)'

/** The value by which a facet groups an attempt; null where the attempt does not have the facet. */
export function facetOf(attempt: Attempt, facet: string): string | null {
  if (facet === defaultFacet) return attempt.domain
  return attempt.facets?.[facet] ?? (facet === 'language' ? attempt.language : null)
}

/** The facets that these attempts have, the default first. */
function facetNames(attempts: readonly Attempt[]): string[] {
  const recorded = new Set(attempts.flatMap(({ facets = {} }) => Object.keys(facets)))
  return [...new Set([defaultFacet, 'language', ...[...recorded].sort()])]
}

/**
 * The attempts with the value of a facet in place of their domain, by which every table groups.
 *
 * @throws ConfigError 'unknown-facet' where no attempt has the facet
 */
export function byFacet(attempts: readonly Attempt[], facet: string): readonly Attempt[] {
  if (facet === defaultFacet) return attempts
  const names = facetNames(attempts)
  if (!names.includes(facet))
    throw new ConfigError(`unknown facet ${describeUnknownName(facet, names)}`, { code: 'unknown-facet' })
  return attempts.map(attempt => ({ ...attempt, domain: facetOf(attempt, facet) ?? withoutValue }))
}
