/**
 * Observations of an attempt's trace as plain data. They have the same shape as those of the log, so that this room
 * does not depend on logs.
 */
export interface SearchHits {
  readonly kind: 'hits'
  readonly query: string
  readonly hits: readonly { readonly url: string; readonly title?: string }[]
}

/** A page or document whose body a tool received. */
export interface OpenedBody {
  readonly kind: 'body'
  /** The requested address; `finalUrl` is the address after redirects. */
  readonly url: string
  readonly finalUrl: string
  /** Hash of the received bytes. */
  readonly sha256: string
  /** Hash of the body's whole text; null when it has none. */
  readonly textSha256: string | null
  /** 1-based numbers of the pages or parts whose text was shown. */
  readonly shown: readonly number[]
  readonly links: readonly string[]
}

/** One observation of a tool. */
type Observed = SearchHits | OpenedBody

/** One answer of a tool: the model turn it belongs to, what the tool observed, and the text that the agent received. */
export interface ObservedAnswer {
  readonly step: number
  /** Which tool result of this turn it is, from 0. Absent when unknown. */
  readonly result?: number
  readonly observations: readonly Observed[]
  readonly text: string
}

interface ObservedText {
  readonly text?: string
  readonly blob?: string
}

interface StoredAnswer {
  readonly step: number
  readonly text: ObservedText
  readonly observations: readonly Observed[]
}

/**
 * Reads the tool answers of a trace, in order, with their texts. An answer whose text is no longer stored counts as
 * one that showed nothing.
 *
 * @param textOf returns a stored text by its hash; null when it is no longer stored
 */
export function listObservedAnswers(
  answers: readonly StoredAnswer[],
  textOf: (hash: string) => string | null,
): ObservedAnswer[] {
  return answers.map(({ step, text, observations }, at) => ({
    step,
    result: answers.slice(0, at).filter(answer => answer.step === step).length,
    observations,
    text: text.text ?? (text.blob === undefined ? null : textOf(text.blob)) ?? '',
  }))
}
