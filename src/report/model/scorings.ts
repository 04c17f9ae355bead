/** The scorer and judge of a score, for a title. Attempts without any score have the scorer `none`. */
export function scoringOf(item: { readonly profile: string; readonly judge: string }): string {
  return item.profile === 'none' ? 'not scored' : `scorer ${item.profile}, judge ${item.judge}`
}

export function scorings<T extends { readonly profile: string; readonly judge: string }>(
  items: readonly T[],
): string[] {
  return [...new Set(items.map(scoringOf))]
}

/** The entries of the first scoring: enough where the scoring makes no difference. */
export function firstScoringOf<T extends { readonly profile: string; readonly judge: string }>(
  items: readonly T[],
): T[] {
  const [first] = items
  return first === undefined ? [] : items.filter(item => scoringOf(item) === scoringOf(first))
}

/** All of them in a title's brackets. */
export function allScorings(items: readonly { readonly profile: string; readonly judge: string }[]): string {
  return `(${scorings(items).join('; ')})`
}
