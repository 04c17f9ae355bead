import type { ContextPolicy } from './context-policy.ts'
import { finalAnswer, tongyiShare } from './final-answer.ts'
import { keepLast } from './keep-last.ts'
import { shorten } from './shorten.ts'
import { summarise } from './summarise.ts'

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
export function contextPolicyOf(options: Readonly<Record<string, unknown>>): ContextPolicy {
  const { contextPolicy } = options
  return (typeof contextPolicy === 'string' ? readContextPolicy(contextPolicy) : null) ?? shorten
}
