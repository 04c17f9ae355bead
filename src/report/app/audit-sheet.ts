import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { AuditSheetData, Mark } from '../page/served-data.ts'
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

/** Loads the audit sheet of the run from the server. */
export function useAuditSheet(): AuditSheetState {
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
  useEffect(() => void take(loadSheet()), [])
  return { sheet, problem, change: (path, body) => take(sendChange<AuditSheetData>(path, body)) }
}

async function loadSheet(): Promise<AuditSheetData> {
  const answer = await fetch('audit.json')
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as AuditSheetData
}

/** Returns which marks of an item are those of a person: the first (0) or the second (1). */
export function markerPlace({ markers: [first, second] }: AuditSheetData, name: string): 0 | 1 {
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
