import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { PageData } from '../page/page-data.ts'
import { addressOf, goTo, useView, type View } from './address.ts'
import { AttemptView } from './views/attempt-view.tsx'
import { Overview } from './views/overview.tsx'

/** The whole page: the view that the address names, and the keys that work in every view. */
export function App({ data }: { readonly data: PageData }) {
  const view = useView()
  const listed = useRef<readonly string[]>(data.attempts.id)
  useKeys(listed, view)
  usePlaceInOverview(view)
  // The overview stays in the page while an attempt is shown: its filters are kept.
  return (
    <>
      <main id="overview" hidden={view.name !== 'overview'}>
        <Overview data={data} section={view.name === 'overview' ? view.section : null} listed={listed} />
      </main>
      {view.name === 'attempt' && <AttemptView key={view.id} listed={listed.current ?? []} view={view} />}
    </>
  )
}

/** Handles the keys: Esc goes back, / searches, j and k open the next and the previous attempt of the list. */
function useKeys(listed: RefObject<readonly string[]>, view: View): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => onKey(event, listed.current ?? [], view)
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [listed, view])
}

function onKey(event: KeyboardEvent, listed: readonly string[], view: View): void {
  const isTyping =
    event.target instanceof HTMLElement && /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape' && view.name !== 'overview') goTo({ name: 'overview', section: null })
  else if (isTyping) return
  else if (event.key === '/') {
    event.preventDefault()
    const searches = [...document.querySelectorAll<HTMLInputElement>('input[type=search]')]
    searches.find(search => search.offsetParent !== null)?.focus()
  } else if (event.key === 'j' || event.key === 'k') stepAttempt(listed, view, event.key === 'j' ? 1 : -1)
}

function stepAttempt(listed: readonly string[], view: View, by: number): void {
  const at = view.name === 'attempt' ? listed.indexOf(view.id) : by > 0 ? -1 : listed.length
  const next = listed[at + by]
  if (next !== undefined) goTo({ name: 'attempt', id: next, event: null })
}

/** Returns from an attempt to the same place in the overview, with the focus on the attempt's link. */
function usePlaceInOverview(view: View): void {
  const place = useRef(0)
  const last = useRef(view)
  useLayoutEffect(() => {
    const before = last.current
    last.current = view
    if (before.name === 'overview') return () => void (place.current = scrollY)
    if (view.name === 'overview') {
      const link = addressOf({ name: 'attempt', id: before.id, event: null })
      document.querySelector<HTMLElement>(`#attempts a[href="${CSS.escape(link)}"]`)?.focus()
      scrollTo(0, place.current)
    }
    return undefined
  }, [view.name === 'attempt' ? view.id : view.name])
}
