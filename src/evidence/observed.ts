/**
 * What the evidence room reads of an attempt's trace: plain data, structurally equal to the log's own observations,
 * so that this room needs nothing of the logs.
 */
export interface SearchHits {
  readonly kind: 'hits'
  readonly query: string
  readonly hits: readonly { readonly url: string; readonly title?: string }[]
}

export interface OpenedBody {
  readonly kind: 'body'
  /** As asked for, and where redirects ended. */
  readonly url: string
  readonly finalUrl: string
  /** Of the bytes as they came. */
  readonly sha256: string
  /** Hash of the body's whole text; null where it has none. */
  readonly textSha256: string | null
  /** Pages or parts whose text was shown, 1-based. */
  readonly shown: readonly number[]
  readonly links: readonly string[]
}

export type Observed = SearchHits | OpenedBody

/** One answer of a tool: the model turn it belongs to, what the tool saw, and the text that the agent was given. */
export interface ObservedAnswer {
  readonly step: number
  readonly observations: readonly Observed[]
  readonly text: string
}

interface StoredText {
  readonly text?: string
  readonly blob?: string
}

interface StoredAnswer {
  readonly step: number
  readonly text: StoredText
  readonly observations: readonly Observed[]
}

/**
 * Tool answers as a trace keeps them, in its order, with their texts. `textOf` gives a stored text by its hash, null where it is gone;
 * an answer whose text is gone counts as having shown nothing.
 */
export function observedAnswers(
  answers: readonly StoredAnswer[],
  textOf: (hash: string) => string | null,
): ObservedAnswer[] {
  return answers.map(({ step, text, observations }) => ({
    step,
    observations,
    text: text.text ?? (text.blob === undefined ? null : textOf(text.blob)) ?? '',
  }))
}
