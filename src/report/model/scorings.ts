/** Names the scorer and judge of a score for a title. The scorer is `none` when there are no scores. */
export function nameScoring(item: { readonly scorer: string; readonly judge: string }): string {
  return item.scorer === 'none' ? 'not scored' : `scorer ${item.scorer}, judge ${item.judge}`
}

/** Returns the distinct names of the scorings of these items. */
export function listScorings<T extends { readonly scorer: string; readonly judge: string }>(
  items: readonly T[],
): string[] {
  return [...new Set(items.map(nameScoring))]
}

/** Returns the items of the first scoring, for figures that do not depend on the scoring. */
export function selectFirstScoring<T extends { readonly scorer: string; readonly judge: string }>(
  items: readonly T[],
): T[] {
  const [first] = items
  return first === undefined ? [] : items.filter(item => nameScoring(item) === nameScoring(first))
}

/** Lists all scorings in brackets, for a title. */
export function nameAllScorings(
  items: readonly { readonly scorer: string; readonly judge: string }[],
): string {
  return `(${listScorings(items).join('; ')})`
}
