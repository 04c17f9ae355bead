import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { AuditSheetData, Mark } from '../page/served-data.ts'
import { readServedPage } from './read-page.ts'
import { sendChange } from './server.ts'

/** The audit sheet of the run, and how to change it. */
interface AuditSheetState {
  /** Null while it is loaded. */
  readonly sheet: AuditSheetData | null
  /** Why the last change failed. Empty when it did not. */
  readonly problem: string
  /** Returns whether the change was saved. */
  change(path: 'marks' | 'sample', body: unknown): Promise<boolean>
}

/** A mark or a note about an item or, without `id` and `item`, about a whole answer. */
export interface MarkChange {
  readonly attemptId: string
  readonly id: string | null
  readonly item: number | null
  readonly mark?: Mark
  readonly note?: string
  readonly marker: string
}

/** Where the server keeps the marks of an attempt, and its id there. In a comparison, an id begins with its run. */
export function placeOfMarks(attemptId: string): { readonly base: string; readonly attemptId: string } {
  const at = attemptId.indexOf('/')
  if (readServedPage()?.kind !== 'comparison') return { base: '', attemptId }
  return { base: `/run/${encodeURIComponent(attemptId.slice(0, at))}/`, attemptId: attemptId.slice(at + 1) }
}

/**
 * Loads the audit sheet of a run from the server.
 *
 * @param base - The address of the run, or '' for the run of the page.
 */
export function useAuditSheet(base = ''): AuditSheetState {
  const [sheet, setSheet] = useState<AuditSheetData | null>(null)
  const [problem, setProblem] = useState('')
  const take = (request: Promise<AuditSheetData>): Promise<boolean> =>
    request.then(
      saved => {
        setSheet(saved)
        setProblem('')
        return true
      },
      (error: Error) => {
        setProblem(error.message)
        return false
      },
    )
  useEffect(() => void take(loadSheet(base)), [base])
  return { sheet, problem, change: (path, body) => take(sendChange<AuditSheetData>(base + path, body)) }
}

async function loadSheet(base: string): Promise<AuditSheetData> {
  const answer = await fetch(`${base}audit.json`)
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as AuditSheetData
}

/** Returns which marks of an item are those of a person: the first (0) or the second (1). */
export function findMarkerPlace({ markers: [first, second] }: AuditSheetData, name: string): 0 | 1 {
  if (name === first) return 0
  return name === second || first !== '' ? 1 : 0
}

/** The marks with their keys. */
export const marks: readonly (readonly [mark: Exclude<Mark, ''>, key: string])[] = [
  ['right', 'r'],
  ['wrong', 'w'],
  ['unsure', 'u'],
]

/** What the keys do while a person marks. */
interface MarkKeys {
  readonly isReady: boolean
  mark(mark: Mark): void
  step?(by: number): void
}

const steps: Readonly<Record<string, number>> = { n: 1, j: 1, p: -1, k: -1 }

/** Handles the keys r, w and u, and n and p when there is a next and a previous item. */
export function useMarkKeys({ isReady, mark, step }: MarkKeys): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLElement && /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      const chosen = marks.find(([, key]) => key === event.key)?.[0]
      if (chosen !== undefined && isReady) mark(chosen)
      else if (steps[event.key] !== undefined) step?.(steps[event.key] ?? 0)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
