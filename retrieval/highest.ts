/** Accepts or leaves out a document by its number. */
export type DocumentFilter = (document: number) => boolean

/**
 * Returns the numbers of the documents or chunks with the highest scores, best first. Equal scores keep their order. The
 * function checks all scores but sorts only the highest.
 */
export function pickHighest(
  scores: Float64Array,
  limit: number,
  { above, accepts }: { readonly above: number; readonly accepts?: DocumentFilter },
): number[] {
  if (limit <= 0) return []
  const compareScores = (a: number, b: number): number => scores[b]! - scores[a]! || a - b
  let best: number[] = []
  let lowestKept = above
  for (let document = 0; document < scores.length; document++) {
    if (scores[document]! <= lowestKept) continue
    if (accepts !== undefined && !accepts(document)) continue
    best.push(document)
    if (best.length < 2 * limit) continue
    best = best.sort(compareScores).slice(0, limit)
    lowestKept = scores[best[limit - 1]!]!
  }
  return best.sort(compareScores).slice(0, limit)
}
