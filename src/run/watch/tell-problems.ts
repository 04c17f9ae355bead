import type { RunEvent } from './progress.ts'

type Tell = (event: RunEvent) => void

/** Has each document with a problem named once, at the end of the first attempt that was given it; missing ones are told before. */
export function tellingProblems(tell: Tell): Tell {
  const told = new Set<string>()
  return event => {
    if (event.type === 'attempt-ended') {
      for (const { hint, problem } of event.attempt.context?.documents ?? []) {
        if (problem === null || problem.startsWith('missing:') || told.has(hint)) continue
        told.add(hint)
        tell({ type: 'notice', text: `documents: ${hint}: ${problem}` })
      }
    }
    tell(event)
  }
}
