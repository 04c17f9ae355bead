/** Where a text is looked for in another. */
export interface Wanted {
  readonly text: string
  /** The page of a document. Only matches below the mark of this page count, if there is one. Null: all count. */
  readonly page: number | null
  /** Whether upper and lower case differ. */
  readonly isExact: boolean
}

/** More matches in one text are not marked. */
const mostMatches = 200

/** Returns the places of a wanted text. */
export function findMatches(text: string, { text: searchText, page, isExact }: Wanted): number[] {
  if (searchText === '') return []
  // Lower case may change the length of a text, which would move all places after it.
  const lower = text.toLowerCase()
  const isSafe = isExact || lower.length === text.length
  const [hay, needle] = isExact || !isSafe ? [text, searchText] : [lower, searchText.toLowerCase()]
  const mark = page === null ? -1 : text.indexOf(`--- page ${page} `)
  const places: number[] = []
  for (
    let at = hay.indexOf(needle, Math.max(0, mark));
    at !== -1;
    at = hay.indexOf(needle, at + needle.length)
  ) {
    places.push(at)
    if (places.length === mostMatches || page !== null) break
  }
  return places
}

/** A text with the wanted text marked. */
export function Marked({ text, wanted: search }: { readonly text: string; readonly wanted: Wanted | null }) {
  if (search === null) return <>{text}</>
  const places = findMatches(text, search)
  const { length } = search.text
  const end = (places.at(-1) ?? -length) + length
  return (
    <>
      {places.map((at, nth) => (
        <>
          {text.slice(nth === 0 ? 0 : places[nth - 1]! + length, at)}
          <mark>{text.slice(at, at + length)}</mark>
        </>
      ))}
      {text.slice(end)}
    </>
  )
}
