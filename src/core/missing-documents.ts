import type { Attempt } from './attempt.ts'

/** The attempts of a run that lacked documents of their tasks, and which documents they lacked. */
export interface MissingDocuments {
  readonly attempts: number
  /** The names of the documents, each once, in the order of the attempts. */
  readonly names: readonly string[]
}

/** Counts the attempts that lacked documents. Returns null when there are none. */
export function countMissingDocuments(
  attempts: Iterable<{ readonly missingDocuments?: Attempt['missingDocuments'] }>,
): MissingDocuments | null {
  const names = new Set<string>()
  let n = 0
  for (const { missingDocuments = [] } of attempts) {
    if (missingDocuments.length > 0) n++
    for (const { name } of missingDocuments) names.add(name)
  }
  return n === 0 ? null : { attempts: n, names: [...names] }
}

/** Names a few documents and counts the others: `a.pdf, b.pdf, c.pdf and 4 more`. */
export function documentNamesText(names: readonly string[]): string {
  const more = names.length - 3
  return names.slice(0, 3).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Says how many attempts lacked documents, and which: `2 attempts lacked documents (a.pdf)`. */
export function describeMissingDocuments({ attempts, names }: MissingDocuments): string {
  return `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} lacked documents (${documentNamesText(names)})`
}
