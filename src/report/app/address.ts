import { useEffect, useState } from 'preact/hooks'

/** What the page shows. The part of the address after `#` says it, so that every view has a link. */
export type View =
  | { readonly name: 'overview'; readonly section: string | null }
  | { readonly name: 'matrix' }
  | { readonly name: 'attempts' }
  | { readonly name: 'audit' }
  | {
      readonly name: 'task'
      readonly id: string
      /** The item of the gold whose cause is shown, and the attempt that it is from. */
      readonly item: string | null
      readonly attempt: string | null
      /** The indexes of the arms beside each other. Absent: all. */
      readonly arms?: readonly number[]
    }
  | {
      readonly name: 'attempt'
      readonly id: string
      readonly event: number | null
      /** The item of the gold whose evidence is shown in the trace. Absent: none. */
      readonly cause?: string
    }

/** Returns the address of a view. */
export function formatAddress(view: View): string {
  const { name } = view
  if (name === 'overview') return `#${view.section ?? ''}`
  if (name === 'matrix' || name === 'attempts' || name === 'audit') return `#view=${name}`
  const values =
    name === 'attempt'
      ? { event: view.event, cause: view.cause ?? null }
      : { arms: view.arms?.join('.') ?? null, item: view.item, attempt: view.attempt }
  const parts = Object.entries(values).map(([key, value]) => readPart(key, value))
  return `#${name}=${encodeURIComponent(view.id)}${parts.join('')}`
}

function readPart(name: string, value: string | number | null): string {
  return value === null ? '' : `&${name}=${encodeURIComponent(value)}`
}

/** Reads the view of an address. A mistyped address is the overview. */
export function parseView(hash: string): View {
  const values = new Map(hash.slice(1).split('&').map(readPair))
  const [attempt, task, view, event, cause, arms] = ['attempt', 'task', 'view', 'event', 'cause', 'arms'].map(
    name => values.get(name),
  )
  if (task)
    return {
      ...{ name: 'task', id: task, item: values.get('item') ?? null, attempt: attempt ?? null },
      ...(arms === undefined || !/^\d+(?:\.\d+)*$/.test(arms) ? {} : { arms: arms.split('.').map(Number) }),
    }
  if (attempt)
    return {
      name: 'attempt',
      id: attempt,
      event: event === undefined ? null : Number(event),
      ...(cause === undefined ? {} : { cause }),
    }
  if (view === 'matrix' || view === 'attempts' || view === 'audit') return { name: view }
  return { name: 'overview', section: hash.length > 1 && !hash.includes('=') ? hash.slice(1) : null }
}

function readPair(text: string): readonly [string, string | undefined] {
  const at = text.indexOf('=')
  return at === -1 ? [text, undefined] : [text.slice(0, at), decodePart(text.slice(at + 1))]
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The current view, and where the page was scrolled to when the view before it was left. */
interface CurrentView {
  readonly view: View
  readonly leftAt: number
}

/** Returns the current view, and renders again when the address changes. */
export function useView(): CurrentView {
  const [{ hash, leftAt }, setPlace] = useState({ hash: location.hash, leftAt: 0 })
  useEffect(() => {
    const readPlace = (): void => setPlace({ hash: location.hash, leftAt: scrollY })
    addEventListener('hashchange', readPlace)
    return () => removeEventListener('hashchange', readPlace)
  }, [])
  return { view: parseView(hash), leftAt }
}

/** Goes to a view. */
export function goTo(view: View): void {
  location.hash = formatAddress(view)
}
