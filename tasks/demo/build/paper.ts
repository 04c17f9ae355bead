/** A table of results: the first column is the method; methods that the paper itself proposes are marked. */
export interface ResultTable {
  readonly caption: string
  readonly header: readonly string[]
  readonly rows: readonly { readonly cells: readonly string[]; readonly own: boolean }[]
}

/** A made-up paper. A `{cite:KEY}` in a paragraph becomes the number of that reference. */
export interface Paper {
  readonly key: string
  /** Whether its tables say `(ours)` beside the methods that it proposes; in bold they are always. */
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
  /** What it cites, in order: other papers of the demo by key, all others by their full text. */
  readonly references: readonly ({ readonly key: string } | { readonly text: string; readonly key: string })[]
  /** What it takes from another paper of the demo: the sentence with which it does, and for what. */
  readonly citations: readonly {
    readonly cited: string
    readonly sentence: string
    readonly label: 'background' | 'methodology' | 'result'
  }[]
}
