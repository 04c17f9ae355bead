import type { Attempt, Context } from '../../core/attempt.ts'
import { documentNamesText } from '../../core/missing-documents.ts'

type PromptDocument = Context['documents'][number]

/** Whether a part of a document could not be read, or our reader left out or guessed something of it. */
function isDoubtful({ chars, problem, notices = [] }: PromptDocument): boolean {
  const isPartlyUnread = problem !== null && chars > 0 && !problem.startsWith('misnamed: ')
  return isPartlyUnread || notices.length > 0
}

/**
 * Says in how many attempts the documents of the prompt were read with notices or were cut, and where both can be read.
 * Empty when all documents were whole.
 */
export function documentNotes(attempts: readonly Pick<Attempt, 'context'>[]): string[] {
  const contexts = attempts.flatMap(({ context }) => context ?? [])
  const doubtful = countDocuments(contexts, isDoubtful)
  const cut = countDocuments(
    contexts.filter(({ cutStrategy }) => cutStrategy !== null),
    ({ chars, charsInPrompt }) => charsInPrompt < chars,
  )
  const both = [
    ...(doubtful === null ? [] : [`our reader left out, guessed or could not read a part in ${doubtful}`]),
    ...(cut === null ? [] : [`the text was cut to fit the context window in ${cut}`]),
  ]
  return both.length === 0 ? [] : [`documents: ${both.join('; ')}. The page of each attempt says what`]
}

/** Counts attempts and names their documents: `3 attempts (a.docx, b.xlsx)`. Returns null when there are none. */
function countDocuments(
  contexts: readonly Context[],
  isCounted: (document: PromptDocument) => boolean,
): string | null {
  const counted = contexts.map(({ documents }) => documents.filter(isCounted)).filter(own => own.length > 0)
  if (counted.length === 0) return null
  const names = [...new Set(counted.flat().map(({ hint }) => hint))]
  return `${counted.length} ${counted.length === 1 ? 'attempt' : 'attempts'} (${documentNamesText(names)})`
}
