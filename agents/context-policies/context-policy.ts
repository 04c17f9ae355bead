import type { ContextWords } from '../prompts/context-words.ts'
import type { BudgetReason, Ended } from '../termination.ts'
import type { LoopWindow } from '../window.ts'

/** What the agent may do after a policy has prepared the conversation. */
export type Prepared =
  | { readonly kind: 'ready' }
  /** The agent must answer now, because of this budget. */
  | { readonly kind: 'answer-now'; readonly reason: BudgetReason }
  /** A side request of the policy ended the attempt. */
  | { readonly kind: 'ended'; readonly end: Ended['end'] }

/** What happens when a conversation outgrows the context window (docs/online-options.md). */
export interface ContextPolicy {
  /** The value of --context-policy, as traces and reports show it. */
  readonly name: string
  /** Returns the text that describes the policy in the agent's prompt. */
  notice(words: ContextWords): string
  /** Changes the conversation before a turn of the agent, so that the request fits into the window. */
  prepare(loop: LoopWindow): Prepared | Promise<Prepared>
  /** Makes room for the last request. Returns false when the conversation still has more tokens than `limitTokens`. */
  fitLast(loop: LoopWindow, limitTokens: number): boolean
  /**
   * Makes room after the provider refused a request as too long, so that the agent can continue. Absent for policies
   * under which the agent must answer then.
   */
  recover?(loop: LoopWindow): Promise<Prepared>
}

/** The conversation fits into the window, and the agent continues. */
export const ready: Prepared = { kind: 'ready' }
/** The policy cannot make more room, so that the agent must answer now. */
export const windowIsFull = { kind: 'answer-now', reason: 'context-window' } as const satisfies Prepared
