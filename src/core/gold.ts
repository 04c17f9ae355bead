/** A value of a gold table. */
export type GoldValue = string | number | boolean | null

/**
 * A row of a gold table: values by column.
 *
 * @example
 * import type { GoldRow } from 'tablehunt'
 *
 * const row: GoldRow = { hospital: 'North', beds: 120 }
 */
export type GoldRow = Readonly<Record<string, GoldValue>>

/**
 * A gold table. Key columns and target columns are disjoint; numeric columns are a subset of the target columns.
 *
 * @example
 * import type { TableGold } from 'tablehunt'
 *
 * const gold: TableGold = {
 *   kind: 'table',
 *   keyColumns: ['hospital'],
 *   targetColumns: ['beds', 'town'],
 *   numericColumns: ['beds'],
 *   rows: [{ hospital: 'North', beds: 120, town: 'Elm' }],
 * }
 */
export interface TableGold {
  readonly kind: 'table'
  readonly keyColumns: readonly string[]
  readonly targetColumns: readonly string[]
  readonly numericColumns: readonly string[]
  /** A value that is a list is written as JSON text. */
  readonly rows: readonly GoldRow[]
  /** Data of the benchmark for its scorer. The scorer validates it. */
  readonly scoring?: unknown
}

/**
 * A gold JSON value and its schema. The schema contains the settings by which values are compared.
 *
 * @example
 * import type { JsonGold } from 'tablehunt'
 *
 * const gold: JsonGold = {
 *   kind: 'json',
 *   schemaName: 'loan',
 *   schema: { type: 'object', properties: { lender: { type: 'string' } }, required: ['lender'] },
 *   value: { lender: 'North Bank' },
 *   text: '{ "lender": "North Bank" }',
 * }
 */
export interface JsonGold {
  readonly kind: 'json'
  /** The name of the schema in reports. */
  readonly schemaName: string
  readonly schema: unknown
  readonly value: unknown
  /** The text of the value in its file. Some scorers distinguish 5.0 from 5, which JavaScript cannot. */
  readonly text: string
  readonly scoring?: unknown
}

/**
 * A gold text, or a list of texts.
 *
 * @example
 * import type { TextGold } from 'tablehunt'
 *
 * const rivers: TextGold = { kind: 'text', references: ['Rhine\nDanube'], items: ['Rhine', 'Danube'] }
 */
export interface TextGold {
  readonly kind: 'text'
  /** Right answers, at least one. For a list, each is the whole list as text, usually one item per line. */
  readonly references: readonly string[]
  /** The elements of a list answer. Absent when the answer is one text. */
  readonly items?: readonly string[]
  readonly scoring?: unknown
}

/**
 * The right answer: a table, a JSON value or a text.
 *
 * @example
 * import type { Gold } from 'tablehunt'
 *
 * const sizeOf = (gold: Gold): number => (gold.kind === 'table' ? gold.rows.length : 1)
 */
export type Gold = TableGold | JsonGold | TextGold
