import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { PageData } from '../page/page-data.ts'
import { formatAddress, goTo, useView, type View } from './address.ts'
import { useLiveData } from './live-data.ts'
import { readServedPage, readServedRun } from './read-page.ts'
import { AttemptList } from './views/attempt-list.tsx'
import { AttemptView } from './views/attempt-view.tsx'
import { Audit } from './views/audit.tsx'
import { Matrix } from './views/matrix.tsx'
import { Notes } from './views/notes.tsx'
import { Overview } from './views/overview.tsx'
import { RunBar } from './views/run-bar.tsx'
import { TaskView } from './views/task-view.tsx'
import { ThemeSwitch } from './views/theme-switch.tsx'

/** The whole page: the view that the address names, and the keys that work in every view. */
export function App({ data: loaded }: { readonly data: PageData }) {
  const { view, leftAt } = useView()
  const served = useMemo(readServedRun, [])
  const { data, overview, progress, isReplaced } = useLiveData(loaded, served)
  const listed = useRef<readonly string[]>(loaded.attempts.id)
  const visited = useRef(new Set<string>()).current.add(view.name)
  useKeys(listed, view, useWayBack(view))
  usePlace(view, leftAt)
  return (
    <>
      {served === null && readServedPage() !== null && (
        <section class="bar run-bar" aria-label="the comparison">
          <a href="/">All runs</a>
        </section>
      )}
      {served !== null && <RunBar served={served} progress={progress} isReplaced={isReplaced} />}
      <nav class="views" aria-label="views">
        {(served === null ? views : [...views, auditLink]).map(([target, text]) => (
          <a
            key={text}
            href={formatAddress(target)}
            aria-current={target.name === view.name ? 'page' : undefined}
          >
            {text}
          </a>
        ))}
        <ThemeSwitch />
      </nav>
      {/* A view with filters stays in the page while another is shown, so that the filters are kept. */}
      <main id="overview" hidden={view.name !== 'overview'}>
        {served !== null && <Notes served={served} />}
        <Overview
          data={overview}
          section={view.name === 'overview' ? view.section : null}
          progress={progress}
        />
      </main>
      <main id="matrix" hidden={view.name !== 'matrix'}>
        <h1>Scores by task and arm</h1>
        {visited.has('matrix') && <Matrix data={data} />}
      </main>
      <main id="all-attempts" hidden={view.name !== 'attempts'}>
        <h1>Attempts</h1>
        {visited.has('attempts') && <AttemptList data={data} listed={listed} />}
      </main>
      {view.name === 'audit' && served !== null && (
        <main id="audit">
          <Audit />
        </main>
      )}
      {view.name === 'task' && (
        <main id="task">
          <TaskView key={view.id} data={data} view={view} />
        </main>
      )}
      {view.name === 'attempt' && <AttemptView key={view.id} listed={listed.current ?? []} view={view} />}
    </>
  )
}

const views: readonly (readonly [View, string])[] = [
  [{ name: 'overview', section: null }, 'Overview'],
  [{ name: 'matrix' }, 'Matrix'],
  [{ name: 'attempts' }, 'Attempts'],
]

const auditLink = [{ name: 'audit' }, 'Audit'] as const

/** Handles the keys: Esc goes back, / searches, j and k open the next and the previous attempt of the list. */
function useKeys(listed: RefObject<readonly string[]>, view: View, back: () => void): void {
  // Before the browser paints, so that no key meets the handler of the view before.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void =>
      handleKey(event, { listed: listed.current ?? [], view, back })
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [listed, view])
}

interface KeyTargets {
  /** The ids of the attempts in the list. */
  readonly listed: readonly string[]
  readonly view: View
  back(): void
}

function handleKey(event: KeyboardEvent, { listed, view, back }: KeyTargets): void {
  const isTyping =
    event.target instanceof HTMLElement && /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape') back()
  else if (isTyping) return
  else if (event.key === '/') {
    event.preventDefault()
    const searches = [...document.querySelectorAll<HTMLInputElement>('input[type=search]')]
    searches.find(search => search.offsetParent !== null)?.focus()
  } else if ((event.key === 'j' || event.key === 'k') && view.name !== 'audit')
    stepAttempt(listed, view, event.key === 'j' ? 1 : -1)
}

function stepAttempt(listed: readonly string[], view: View, by: number): void {
  const at = view.name === 'attempt' ? listed.indexOf(view.id) : by > 0 ? -1 : listed.length
  const next = listed[at + by]
  if (next !== undefined) goTo({ name: 'attempt', id: next, event: null })
}

const depths: Readonly<Record<View['name'], number>> = {
  overview: 0,
  matrix: 0,
  attempts: 0,
  audit: 0,
  task: 1,
  attempt: 2,
}

/** Returns a function that goes from a task or an attempt to the view from which it was opened. */
function useWayBack(view: View): () => void {
  const openedFrom = useRef(new Map<View['name'], View>())
  const last = useRef(view)
  if (depths[view.name] > depths[last.current.name]) openedFrom.current.set(view.name, last.current)
  last.current = view
  return () => {
    if (depths[view.name] > 0) goTo(openedFrom.current.get(view.name) ?? { name: 'overview', section: null })
  }
}

/** Returns from a task or an attempt to the same place in the view before it, with the focus on the link to it. */
function usePlace(view: View, leftAt: number): void {
  const places = useRef(new Map<View['name'], { readonly y: number; readonly next: string }>())
  const last = useRef(view)
  useLayoutEffect(() => {
    const before = last.current
    last.current = view
    if (formatAddress(before) === formatAddress(view)) return
    places.current.set(before.name, { y: leftAt, next: formatAddress(view) })
    const place = places.current.get(view.name)
    if (before.name !== view.name) scrollTo(0, place?.y ?? 0)
    if (place?.next !== formatAddress(before)) return
    const link = `main:not([hidden]) a[href="${CSS.escape(place.next)}"]`
    document.querySelector<HTMLElement>(link)?.focus({ preventScroll: true })
  }, [formatAddress(view)])
}
