/** What a judge model is asked, and how its answer is read. */
export interface JudgeRequest<T> {
  readonly prompt: string
  readonly maxOutputTokens: number
  /** Null where the answer is out of form; the judge is then asked again. Must not throw. */
  readonly parse: (text: string) => T | null
}

/** How asking a judge ended. Tokens and money are of what was really spent: nothing where the cache had the answer. */
export interface JudgeOutcome<T> {
  /** Null where no answer in form could be had. */
  readonly value: T | null
  /** Why there is no value; null when there is one. */
  readonly failure: string | null
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Null: the price is not known. */
  readonly usd: number | null
}

/** A language model that judges. `ask` retries on its own; it rejects only when its signal aborts. */
export interface ModelJudge {
  readonly kind: 'model'
  readonly name: string
  /** Put the cells of one column into one call, where the scorer allows it. */
  readonly batch: boolean
  ask<T>(request: JudgeRequest<T>): Promise<JudgeOutcome<T>>
}

/** `none`: the published code without a language model. `rules`: fixed rules for names, keys and texts. */
export type Judge =
  | { readonly kind: 'none'; readonly name: 'none' }
  | { readonly kind: 'rules'; readonly name: 'rules' }
  | ModelJudge

export const noJudge: Judge = { kind: 'none', name: 'none' }
export const rulesJudge: Judge = { kind: 'rules', name: 'rules' }
