import { armKey } from '../../core/arm.ts'
import type { Attempt, Context } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import { documentNamesText } from '../../core/missing-documents.ts'
import type { Score } from '../../core/score.ts'
import { listItems, unratedItems } from '../../core/score-items.ts'
import { labelArm, nameModels } from './arm-names.ts'
import { compareArms } from './entries.ts'
import { nameScoring } from './scorings.ts'

type ContextDocumentFacts = Context['documents'][number]

/** Whether a part of a document could not be read, or our reader left out or guessed something of it. */
function isDoubtful({ chars, problem, notices = [] }: ContextDocumentFacts): boolean {
  const isPartlyUnread = problem !== null && chars > 0 && !problem.startsWith('misnamed: ')
  return isPartlyUnread || notices.length > 0
}

/** The documents of an attempt: those of its prompt, and those that its tools opened. */
interface ReadDocuments {
  readonly context: Context | null
  readonly openedInPart?: Attempt['openedInPart']
}

/**
 * Says in how many attempts the documents of the prompt, or those that tools opened, were read with notices or were cut, and
 * where both can be read. Empty when all documents were whole.
 */
export function listDocumentNotes(attempts: readonly ReadDocuments[]): string[] {
  const doubtful = countDocuments(
    attempts.map(({ context, openedInPart = [] }) => [
      ...listNames(context, isDoubtful),
      ...openedInPart.map(({ url }) => url),
    ]),
  )
  const cut = countDocuments(
    attempts.map(({ context }) =>
      context?.cutStrategy == null
        ? []
        : listNames(context, ({ chars, charsInPrompt }) => charsInPrompt < chars),
    ),
  )
  const sentences = [
    ...(doubtful === null ? [] : [`our reader left out, guessed or could not read a part in ${doubtful}`]),
    ...(cut === null ? [] : [`the text was cut to fit the context window in ${cut}`]),
  ]
  return sentences.length === 0
    ? []
    : [`documents: ${sentences.join('; ')}. The page of each attempt says what`]
}

function listNames(
  context: Context | null,
  isCounted: (document: ContextDocumentFacts) => boolean,
): string[] {
  return context?.documents.filter(isCounted).map(({ hint }) => hint) ?? []
}

/** Counts attempts and names their documents: `3 attempts (a.docx, b.xlsx)`. Returns null when there are none. */
function countDocuments(namesByAttempt: readonly (readonly string[])[]): string | null {
  const counted = namesByAttempt.filter(names => names.length > 0).length
  if (counted === 0) return null
  const names = [...new Set(namesByAttempt.flat())]
  return `${counted} ${counted === 1 ? 'attempt' : 'attempts'} (${documentNamesText(names)})`
}

/** The arms that notes name at most. */
const maxArms = 3

/**
 * Says in which arms the model server left tool calls in the text, first those that could not be carried out.
 *
 * @returns notes without a final full stop
 */
export function listCallsInTextNotes(attempts: readonly Attempt[]): string[] {
  return [...listUnreadNotes(attempts), ...readNote(attempts)]
}

function listUnreadNotes(attempts: readonly Attempt[]): string[] {
  const models = nameModels(attempts)
  const byArm = groupBy(attempts, armKey)
  const arms = [...byArm.values()].sort(([a], [b]) => compareArms(a!, b!))
  const affected = arms.filter(arm => arm.some(isUnread))
  if (affected.length === 0) return []
  const shares = affected.map(arm => `${arm.filter(isUnread).length} of ${arm.length}`)
  const labels = affected.map(([first]) => labelArm(first!, models))
  const advice = 'start the server with its tool parser, or --tool-protocol text'
  if (affected.length === 1) {
    const whose = arms.length === 1 ? '' : ` of ${labels[0]}`
    return [`${shares[0]} answers${whose} contain tool calls that were not carried out: ${advice}`]
  }
  const listed = labels.slice(0, maxArms).map((label, at) => `${label} ${shares[at]}`)
  const more = labels.length > maxArms ? [`${labels.length - maxArms} more arms`] : []
  const total = `${attempts.filter(isUnread).length} of ${attempts.length} answers`
  return [
    `${total} contain tool calls that were not carried out: ${advice} (${[...listed, ...more].join(', ')})`,
  ]
}

/**
 * Names the arms whose agents ran as the operator's user. Null when there are none.
 *
 * @returns a note without a final full stop
 */
export function writeIsolationNote(attempts: readonly Attempt[]): string | null {
  const open = attempts.filter(({ isolation }) => isolation === 'none')
  if (open.length === 0) return null
  const models = nameModels(attempts)
  const labels = [...groupBy(open, armKey).values()].map(([first]) => labelArm(first!, models))
  const more = labels.length > maxArms ? ` and ${labels.length - maxArms} more arms` : ''
  return `not isolated: agents of ${labels.slice(0, maxArms).join(', ')}${more} could read the tasks with their answers (--isolate)`
}

function isUnread({ callsInText }: Attempt): boolean {
  return (callsInText?.unread ?? 0) > 0
}

function readNote(attempts: readonly Attempt[]): string[] {
  const readAttempts = attempts.filter(({ callsInText }) => (callsInText?.calls ?? 0) > 0)
  if (readAttempts.length === 0) return []
  const calls = readAttempts.reduce((sum, { callsInText }) => sum + callsInText!.calls, 0)
  const forms = [...new Set(readAttempts.flatMap(({ callsInText }) => callsInText!.forms))].sort().join(', ')
  const number = `${calls} tool ${calls === 1 ? 'call' : 'calls'} in ${readAttempts.length} of ${attempts.length} attempts`
  return [
    `the server left ${number} in the text, where Tablehunt read them (form: ${forms}). A server with the tool parser of its model reads them itself`,
  ]
}

/** Says for each scorer whose successes are not the answers with every item right what they are. */
export function listSuccessNotes(scores: readonly Score[]): string[] {
  const scored = scores.filter(({ status }) => status === 'scored')
  return [...groupBy(scored, ({ scorer }) => scorer)].flatMap(([scorer, scorerScores]) => {
    const rules = new Set(scorerScores.map(({ successAt }) => successAt))
    const [rule] = rules
    if (rules.size === 1 && rule === undefined) return []
    const names = [...rules].map(at => (at === undefined ? 'every item right' : `at least ${at}`)).sort()
    return rules.size === 1
      ? [`a success of scorer ${scorer} is an answer with ${names[0]} of its metric (--success-at)`]
      : [
          `successes of scorer ${scorer} follow several rules (${names.join(', ')}), so their shares cannot be compared`,
        ]
  })
}

/** Above this share of items without a rating in an arm, the first screen has a line about it. */
export const largeUnratedShare = 0.05

/** Says for each scoring how many items a judge did not rate. Empty when all items are rated. */
export function listUnratedNotes(scores: readonly Score[]): string[] {
  return [...groupBy(scores, nameScoring)].flatMap(([scoring, scoringScores]) => {
    const scored = scoringScores.filter(({ status }) => status === 'scored')
    const unrated = scored.reduce((sum, score) => sum + unratedItems(score), 0)
    if (unrated === 0) return []
    const items = scored.reduce(
      (sum, score) => sum + listItems(score).length + (score.counts.unscoredTurns ?? 0),
      0,
    )
    const attempts = scored.filter(score => unratedItems(score) > 0).length
    return [
      `${formatUnrated(unrated, items)} (${scoring}), in ${attempts} of ${scored.length} scored attempts. Scores that they could move are printed with both bounds`,
    ]
  })
}

/** Says how many items have no rating: `the judge did not rate 18 of 24 items`. */
export function formatUnrated(unrated: number, items: number): string {
  return `the judge did not rate ${unrated} of ${items} ${items === 1 ? 'item' : 'items'}`
}
