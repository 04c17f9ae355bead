import type { NamedCall } from './call-values.ts'
import type { TextSpan } from './spans.ts'

/** A part of a text that is a tool call or looks like one. */
export interface CallPart extends TextSpan {
  /** The calls. Empty when they could not be read. */
  readonly calls: readonly NamedCall[]
  /** A call whose arguments could not be read; null for any other part. */
  readonly broken: { readonly name: string; readonly args: string; readonly problem: string } | null
  /** The form, as `callGrammars` names it, or `json` or `python` without marks; null when no form is known. */
  readonly grammar: string | null
  /** Whether marks of the form surround the call. Otherwise only the name of a tool shows that it is one. */
  readonly isMarked: boolean
  /** Whether the text ended within the call. */
  readonly isOpen: boolean
  /** Whether the call is between backticks or in a code block. */
  readonly isInCode: boolean
  /** Whether only calls and marks follow in the text. */
  readonly isLast: boolean
}

/** A part whose place in the text is not known yet. */
export type FoundPart = Omit<CallPart, 'isInCode' | 'isLast'>

/** The most characters of a broken call that are reported. */
const maxArgs = 4_000

/**
 * Describes a call that could not be read.
 *
 * @param name - empty when the form does not name the tool before the arguments
 */
export function describeBrokenCall(
  name: string,
  text: string,
  problem: string,
): NonNullable<CallPart['broken']> {
  const head = text.slice(0, 2_000)
  const member = /["'](?:tool_)?name["']\s{0,20}:\s{0,20}["']([^"'\n]{1,128})["']/.exec(head)?.[1]
  const inside = member ?? /^[\s[;,]{0,40}(?:print\()?(?:\w{1,40}\.)?([A-Za-z_]\w{0,127})\(/.exec(head)?.[1]
  return { name: name === '' ? (inside ?? 'the tool') : name, args: text.slice(0, maxArgs), problem }
}
