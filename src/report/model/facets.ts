import type { Attempt } from '../../core/attempt.ts'
import { ConfigError } from '../../core/errors.ts'
import { describeUnknownName } from '../../core/nearest-name.ts'

/** The facet by which reports group unless --by names another. */
export const defaultFacet = 'domain'

/** The facet that contains the kind of task, as the benchmark names it. */
export const taskTypeFacet = 'taskType'

/** The name of the group of attempts that lack a value for a facet. */
const withoutValue = '(none)'

/** Names of the rows with the means of all values. */
const meanNames: ReadonlySet<string> = new Set(['all', 'allByDomain', 'common', 'commonByDomain'])

/** Returns the name of a value's rows. A value with the name of the rows of means is quoted. */
const nameRow = (value: string): string => (meanNames.has(value) ? `'${value}'` : value)

/** An attempt or a question. */
interface Faceted {
  readonly domain: string
  readonly language: string
  readonly facets?: Attempt['facets']
}

/** Returns an attempt's value for a facet, or null when it does not have the facet. */
export function readFacet(attempt: Faceted, facet: string): string | null {
  if (facet === defaultFacet) return attempt.domain
  return attempt.facets?.[facet] ?? (facet === 'language' ? attempt.language : null)
}

/** Returns the facets of these attempts, the default first. */
function listFacets(attempts: readonly Faceted[]): string[] {
  const recorded = new Set(attempts.flatMap(({ facets = {} }) => Object.keys(facets)))
  return [...new Set([defaultFacet, 'language', ...[...recorded].sort()])]
}

/**
 * Replaces the domain of each attempt or question with its value for a facet. Every table groups by domain.
 *
 * @throws ConfigError [unknown-facet] when no attempt has the facet
 */
export function groupByFacet<One extends Faceted>(attempts: readonly One[], facet: string): readonly One[] {
  if (facet === defaultFacet)
    return attempts.map(attempt => ({ ...attempt, domain: nameRow(attempt.domain) }))
  const names = listFacets(attempts)
  if (!names.includes(facet))
    throw new ConfigError(`--by: unknown facet ${describeUnknownName(facet, names)}`, {
      code: 'unknown-facet',
    })
  return attempts.map(attempt => ({
    ...attempt,
    domain: nameRow(readFacet(attempt, facet) ?? withoutValue),
  }))
}
