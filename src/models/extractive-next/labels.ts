import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/paths.ts'

/** A table of what patterns find in each document. A pattern is a regular expression. */
export interface Listing {
  /** What a question for it says; what the documents say where the question does not tell. */
  readonly question: string
  readonly content?: string
  readonly replace?: readonly (readonly [pattern: string, by: string])[]
  /** The last section, from one pattern to the other, that has rows; absent: the whole document. */
  readonly section?: readonly [from: string, to: string]
  /** The first set that finds rows: a pattern for a row, then patterns for what holds on for the rows below. */
  readonly rows?: readonly (readonly string[])[]
  /** By column, sources of its value, best first: see readSource. */
  readonly columns: Readonly<Record<string, readonly string[]>>
}

type Pairs<T> = readonly (readonly [string, T])[]

/** What is known of the kinds of documents; labels.json. */
export const labels = JSON.parse(
  readFileSync(join(packageRoot, 'src/models/extractive-next/labels.json'), 'utf8'),
) as {
  readonly fileNames: { readonly plain: Pairs<string>; readonly generic: string }
  readonly listings: readonly Listing[]
  readonly words: Readonly<Record<string, string>>
  readonly months: readonly string[]
  readonly articles: Readonly<Record<string, string>>
  readonly reports: {
    readonly question: string
    readonly content: string
    readonly quarterly: string
    readonly statements: Pairs<string>
    /** How far from its own statement a figure is taken: 2 where nothing is said. */
    readonly distance: Readonly<Record<string, number>>
    /** Words for a span of months over columns. */
    readonly spans: Pairs<number>
    readonly columnHeads: string
    /** By figure: its statement, `money` (in the table's unit) or `each` (as printed), and labels, best first. */
    readonly figures: Readonly<Record<string, readonly [string, string, ...string[]]>>
    /** What is worked out where it is not printed: figure, way, operands. */
    readonly derived: readonly (readonly [string, string, ...string[]])[]
    /** English name, Chinese name ('' for none), way, operands. */
    readonly columns: readonly (readonly [string, string, string, ...string[]])[]
  }
}

/** A document name without folder and extension. */
export function stemOf(name: string): string {
  return name.replace(/^.*\//, '').replace(/\.[A-Za-z0-9]{1,5}$/, '')
}
