/** A table of results. The first column is the method. Methods that the paper proposes are marked. */
export interface ResultTable {
  readonly caption: string
  readonly header: readonly string[]
  readonly rows: readonly { readonly cells: readonly string[]; readonly own: boolean }[]
}

/** An invented paper. `{cite:KEY}` in a paragraph is replaced by the number of that reference. */
export interface Paper {
  readonly key: string
  /** Whether its tables add `(ours)` to the proposed methods. Proposed methods are always bold. */
  readonly marksOwn: boolean
  readonly fileName: string
  readonly title: string
  readonly authors: string
  readonly venue: string
  readonly abstract: string
  readonly sections: readonly {
    readonly title: string
    readonly paragraphs: readonly string[]
    readonly tables: readonly ResultTable[]
  }[]
  /** The references in order: other papers of the demo by key, all others by their full text. */
  readonly references: readonly ({ readonly key: string } | { readonly text: string; readonly key: string })[]
  /** What it uses from another paper of the demo: the citing sentence and the purpose. */
  readonly citations: readonly {
    readonly cited: string
    readonly sentence: string
    readonly label: 'background' | 'methodology' | 'result'
  }[]
}
