/** What a judge model is asked: one message, with the most tokens it may answer with. */
export interface JudgeRequest {
  readonly prompt: string
  readonly maxOutputTokens: number
}

/** A judge model's answer and what it cost; tokens and money null where unknown. */
export interface JudgeReply {
  readonly text: string
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly usd: number | null
  /** True where the answer came from the cache on disk, so that nothing was spent. */
  readonly cached: boolean
}

/** A language model that judges. `ask` retries on its own and rejects when no answer could be had. */
export interface ModelJudge {
  readonly kind: 'model'
  readonly name: string
  /** Put the cells of one column into one call, where the profile allows it. */
  readonly batch: boolean
  ask(request: JudgeRequest): Promise<JudgeReply>
}

/** `none`: the published code without a language model. `rules`: fixed rules for names, keys and texts. */
export type Judge =
  | { readonly kind: 'none'; readonly name: 'none' }
  | { readonly kind: 'rules'; readonly name: 'rules' }
  | ModelJudge

export const noJudge: Judge = { kind: 'none', name: 'none' }
export const rulesJudge: Judge = { kind: 'rules', name: 'rules' }
