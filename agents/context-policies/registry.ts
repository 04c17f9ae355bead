import { type LoopWindow, maxMessageTokens, shareOfWindow } from '../window.ts'
import { type ContextPolicy, ready, windowIsFull } from './context-policy.ts'
import { listResults, recordRemoved, replaceByNote, replaceUntilFits } from './removals.ts'
import { shorten } from './shorten.ts'
import { summarise } from './summarise.ts'

/** Tongyi DeepResearch demands the answer at 110k of its 128k tokens. */
const tongyiShare = 110 / 128

/**
 * Demands the answer when the conversation fills a share of the context window, as Tongyi DeepResearch does (arXiv
 * 2510.24701). Results are removed only when they leave no room for the answer, newest first. Tongyi DeepResearch
 * replaces the last result with its demand.
 */
function finalAnswer(share: number): ContextPolicy {
  const name = share === tongyiShare ? 'final-answer' : `final-answer:${share}`
  return {
    name,
    notice: words => words.finalAnswer(Math.round(share * 100)),
    prepare(loop) {
      const limit = shareOfWindow(loop, share)
      return limit === null || loop.conversation.tokens() <= limit ? ready : windowIsFull
    },
    fitLast(loop, limitTokens) {
      // Half of the rest of the window stays free for the answer.
      const limit = Math.min(limitTokens, shareOfWindow(loop, (1 + share) / 2) ?? limitTokens)
      return replaceUntilFits(loop, name, listResults(loop.conversation).reverse(), limit)
    },
  }
}

/** A kind of context policy: how --context-policy names it, and how its argument is read. */
interface PolicyKind {
  /** The form of the value, such as `keep-last:N`. */
  readonly form: string
  /** Which arguments it accepts. Absent when it has none. */
  readonly argument?: string
  /** Returns the policy; null when the argument does not fit. `argument` is null when the value has none. */
  read(argument: string | null): ContextPolicy | null
}

/** The context policies by name. To add one, write a file and an entry here. */
const kinds: Readonly<Record<string, PolicyKind>> = {
  shorten: { form: 'shorten', read: argument => (argument === null ? shorten : null) },
  'keep-last': {
    form: 'keep-last:N',
    argument: 'N from 1 to 9999',
    read: argument => (/^[1-9]\d{0,3}$/.test(argument ?? '') ? keepLast(Number(argument)) : null),
  },
  summarise: { form: 'summarise', read: argument => (argument === null ? summarise : null) },
  'final-answer': {
    form: 'final-answer[:SHARE]',
    argument: 'SHARE above 0, at most 1',
    read(argument) {
      const share = argument === null ? tongyiShare : Number(argument)
      return share > 0 && share <= 1 ? finalAnswer(share) : null
    },
  },
}

/** The forms of the values of --context-policy. */
export const contextPolicyForms: readonly string[] = Object.values(kinds).map(({ form }) => form)

/** The forms with the arguments that they accept, for messages. */
export const describedContextPolicyForms: readonly string[] = Object.values(kinds).map(
  ({ form, argument }) => (argument === undefined ? form : `${form} (${argument})`),
)

/** Returns the policy that a value of --context-policy names; null when the value is not valid. */
export function readContextPolicy(value: string): ContextPolicy | null {
  const [name = '', ...argument] = value.split(':')
  if (!Object.hasOwn(kinds, name)) return null
  return kinds[name]!.read(argument.length === 0 ? null : argument.join(':'))
}

/** Returns the policy of an attempt, from the options of its setting. */
export function findContextPolicy(options: Readonly<Record<string, unknown>>): ContextPolicy {
  const { contextPolicy } = options
  return (typeof contextPolicy === 'string' ? readContextPolicy(contextPolicy) : null) ?? shorten
}

/**
 * Before every turn, keeps the last tool results in full and replaces each older one with one line. MiroThinker does
 * the same with its option `keep_tool_result` (arXiv 2511.11793). When the kept results do not fit, the agent must
 * answer.
 */
function keepLast(count: number): ContextPolicy {
  const name = `keep-last:${count}`
  const removeOlder = (loop: LoopWindow): void => {
    const removed = listResults(loop.conversation)
      .slice(0, -count)
      .filter(result => replaceByNote(loop, result))
    recordRemoved(
      loop,
      name,
      removed.map(({ result }) => ({ result, keptChars: 0 })),
    )
  }
  return {
    name,
    notice: words => words.keepLast(count),
    prepare(loop) {
      removeOlder(loop)
      const room = maxMessageTokens(loop, false)
      return room === null || loop.conversation.tokens() <= room ? ready : windowIsFull
    },
    fitLast(loop, limitTokens) {
      removeOlder(loop)
      return replaceUntilFits(loop, name, listResults(loop.conversation), limitTokens)
    },
  }
}
