/** A generated text, and the parameters of one question for each task of its language. */
export interface GeneratedText {
  readonly reference: string
  /** A damaged copy, and the task that asks about it. */
  readonly damaged: { readonly template: number; readonly text: string } | null
  readonly parameters: readonly (readonly string[])[]
}
