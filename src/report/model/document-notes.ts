import type { Attempt, Context } from '../../core/attempt.ts'
import { documentNamesText } from '../../core/missing-documents.ts'

type PromptDocument = Context['documents'][number]

/** Whether a part of a document could not be read, or our reader left out or guessed something of it. */
function isDoubtful({ chars, problem, notices = [] }: PromptDocument): boolean {
  const isPartlyUnread = problem !== null && chars > 0 && !problem.startsWith('misnamed: ')
  return isPartlyUnread || notices.length > 0
}

/**
 * Says in how many attempts the documents of the prompt, or those that tools opened, were read with notices or were cut, and
 * where both can be read. Empty when all documents were whole.
 */
export function documentNotes(attempts: readonly Pick<Attempt, 'context' | 'openedInPart'>[]): string[] {
  const doubtful = countDocuments(
    attempts.map(({ context, openedInPart = [] }) => [
      ...namesOf(context, isDoubtful),
      ...openedInPart.map(({ url }) => url),
    ]),
  )
  const cut = countDocuments(
    attempts.map(({ context }) =>
      context?.cutStrategy == null
        ? []
        : namesOf(context, ({ chars, charsInPrompt }) => charsInPrompt < chars),
    ),
  )
  const both = [
    ...(doubtful === null ? [] : [`our reader left out, guessed or could not read a part in ${doubtful}`]),
    ...(cut === null ? [] : [`the text was cut to fit the context window in ${cut}`]),
  ]
  return both.length === 0 ? [] : [`documents: ${both.join('; ')}. The page of each attempt says what`]
}

function namesOf(context: Context | null, isCounted: (document: PromptDocument) => boolean): string[] {
  return context?.documents.filter(isCounted).map(({ hint }) => hint) ?? []
}

/** Counts attempts and names their documents: `3 attempts (a.docx, b.xlsx)`. Returns null when there are none. */
function countDocuments(namesByAttempt: readonly (readonly string[])[]): string | null {
  const counted = namesByAttempt.filter(names => names.length > 0).length
  if (counted === 0) return null
  const names = [...new Set(namesByAttempt.flat())]
  return `${counted} ${counted === 1 ? 'attempt' : 'attempts'} (${documentNamesText(names)})`
}
