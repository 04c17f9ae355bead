/** A question for a judge model, and how its reply is read. */
export interface JudgeRequest<T> {
  readonly prompt: string
  readonly maxOutputTokens: number
  /** Returns null when the reply is not in the required form; the judge is then asked again. Must not throw. */
  readonly parse: (text: string) => T | null
}

/** The outcome of asking a judge. Tokens and cost are those spent: nothing for a cached reply. */
export interface JudgeOutcome<T> {
  /** Null when no reply was in the required form. */
  readonly value: T | null
  /** Why there is no value; null when there is one. */
  readonly failure: string | null
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Null when the price is unknown. */
  readonly usd: number | null
}

/** AOE's published prompts of the evaluation. Each returns one user message. */
export interface PublishedJudgePrompts {
  /** The SHA-256 of the prompts that are used. */
  readonly hash: string
  /** Asks for the score of one cell. */
  cell(column: string, gold: string, predicted: string): string
  /** Asks which gold key a key of the answer names. */
  row(keyColumns: readonly string[], key: string, goldKeys: readonly string[]): string
  /** Asks for the answer's table under the gold's header. */
  rewrite(answerCsv: string, goldHeader: readonly string[]): string
  /** Asks for the four overall scores. */
  overall(query: string, goldCsv: string, answerCsv: string): string
}

/** A language model that judges. `ask` retries by itself and rejects only when its signal aborts. */
export interface ModelJudge {
  readonly kind: 'model'
  readonly name: string
  /** Ask for several cells of one column in one call, when the scorer allows it. */
  readonly batch: boolean
  /** AOE's published prompts, which scorers `aoe` and `paper` then use. Absent: Tablehunt's own prompts. */
  readonly published?: PublishedJudgePrompts | undefined
  ask<T>(request: JudgeRequest<T>): Promise<JudgeOutcome<T>>
}

/** A judge. `none`: the published code without a language model. `rules`: fixed rules for names, keys and texts. */
export type Judge =
  | { readonly kind: 'none'; readonly name: 'none' }
  | { readonly kind: 'rules'; readonly name: 'rules' }
  | ModelJudge

/** A judge model that uses AOE's published prompts. */
export type PublishedJudge = ModelJudge & { readonly published: PublishedJudgePrompts }

/** Whether a judge is a model that uses AOE's published prompts. */
export const usesPublishedPrompts = (judge: Judge): judge is PublishedJudge =>
  judge.kind === 'model' && judge.published !== undefined

/** The same judge with Tablehunt's own prompts. */
export const withOwnPrompts = (judge: Judge): Judge =>
  judge.kind === 'model' ? { ...judge, published: undefined } : judge

/** The judge `none`. */
export const noJudge: Judge = { kind: 'none', name: 'none' }
/** The judge `rules`. */
export const rulesJudge: Judge = { kind: 'rules', name: 'rules' }
