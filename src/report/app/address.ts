import { useEffect, useState } from 'preact/hooks'

/** What the page shows. The part of the address after `#` says it, so that every view has a link. */
export type View =
  | { readonly name: 'overview'; readonly section: string | null }
  | { readonly name: 'attempt'; readonly id: string; readonly event: number | null }

/** Returns the address of a view. */
export function addressOf(view: View): string {
  if (view.name === 'overview') return `#${view.section ?? ''}`
  const event = view.event === null ? '' : `&event=${view.event}`
  return `#attempt=${encodeURIComponent(view.id)}${event}`
}

/** Reads the view of an address. A mistyped address is the overview. */
export function viewOf(hash: string): View {
  const attempt = /^#attempt=([^&]*)(?:&event=(\d+))?$/.exec(hash)
  const id = attempt?.[1] === undefined ? null : decoded(attempt[1])
  if (id !== null)
    return { name: 'attempt', id, event: attempt?.[2] === undefined ? null : Number(attempt[2]) }
  return { name: 'overview', section: hash.length > 1 && !hash.includes('=') ? hash.slice(1) : null }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** Returns the current view, and renders again when the address changes. */
export function useView(): View {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const read = (): void => setHash(location.hash)
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return viewOf(hash)
}

/** Goes to a view. */
export function goTo(view: View): void {
  location.hash = addressOf(view)
}
