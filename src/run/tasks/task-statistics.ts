import type { Task } from '../../core/task.ts'
import { answerKindOf } from '../../score/kinds/registry.ts'
import type { ReadDocument } from './read-documents.ts'

/** The mean and the largest value of a figure. */
export interface MeanAndMax {
  readonly mean: number
  readonly max: number
}

/** The figures of one domain, as Table 2 of the AOE paper (arXiv 2507.16271) defines them. */
export interface DomainStatistics {
  /** `all` for the whole file. */
  readonly domain: string
  readonly languages: readonly string[]
  readonly tasks: number
  /** Tasks whose answer is a table. */
  readonly tables: number
  /** A document counts once for each task that names it. */
  readonly documents: number
  readonly distinctDocuments: number
  /** The number of documents without a known text, and so without a token count. */
  readonly uncountedDocuments: number
  /** The mean over the documents with a token count; null without any. */
  readonly tokensPerDocument: number | null
  readonly documentsPerTask: MeanAndMax
  readonly rows: MeanAndMax | null
  /** All columns of the gold, also those that are not scored. */
  readonly columns: MeanAndMax | null
  readonly cells: MeanAndMax | null
  /** The mean of the tokens of a task's documents; null when those of one task are unknown. */
  readonly inputTokensPerTask: number | null
  /** For tasks whose answer is JSON. */
  readonly schemaKeys: MeanAndMax | null
  readonly goldValues: MeanAndMax | null
}

/** Computes statistics by domain, in the order in which domains first appear, then for `all` tasks. */
export function taskStatistics(
  tasks: readonly Task[],
  documents: readonly (readonly ReadDocument[])[],
): DomainStatistics[] {
  const withDocuments = tasks.map((task, at) => ({ task, documents: documents[at]! }))
  const domains = [...new Set(tasks.map(({ question }) => question.domain))]
  const groups = domains.map(domain => ({
    domain,
    members: withDocuments.filter(({ task }) => task.question.domain === domain),
  }))
  return [...groups, { domain: 'all', members: withDocuments }].map(({ domain, members }) =>
    statisticsOf(domain, members),
  )
}

interface Member {
  readonly task: Task
  readonly documents: readonly ReadDocument[]
}

function statisticsOf(domain: string, members: readonly Member[]): DomainStatistics {
  const documents = members.flatMap(member => member.documents)
  const tokens = documents.flatMap(document => document.tokens ?? [])
  const shapes = members.map(({ task: { gold } }) => answerKindOf(gold).shape(gold))
  const tables = shapes.flatMap(({ rows, columns }) =>
    rows === null || columns === null ? [] : [{ rows, columns }],
  )
  const inputs = members.map(({ documents: own }) =>
    own.every(document => document.tokens !== null) ? sumOf(own.map(document => document.tokens!)) : null,
  )
  const isKnown = inputs.every(input => input !== null)
  return {
    domain,
    languages: [...new Set(members.map(({ task }) => task.question.language))].sort(),
    tasks: members.length,
    tables: tables.length,
    documents: documents.length,
    distinctDocuments: distinct(members),
    uncountedDocuments: documents.length - tokens.length,
    tokensPerDocument: tokens.length === 0 ? null : sumOf(tokens) / tokens.length,
    documentsPerTask: meanAndMax(members.map(member => member.documents.length))!,
    rows: meanAndMax(tables.map(({ rows }) => rows)),
    columns: meanAndMax(tables.map(({ columns }) => columns)),
    cells: meanAndMax(tables.map(({ rows, columns }) => rows * columns)),
    inputTokensPerTask: isKnown ? sumOf(inputs.map(input => input ?? 0)) / inputs.length : null,
    schemaKeys: meanAndMax(shapes.flatMap(({ schemaKeys }) => schemaKeys ?? [])),
    goldValues: meanAndMax(shapes.flatMap(({ values }) => values ?? [])),
  }
}

/** Counts distinct documents. Supplied documents with the same name and different texts are different documents. */
function distinct(members: readonly Member[]): number {
  const names = members.flatMap(({ task, documents }) =>
    documents.map(({ hint, sha256 }, index) =>
      task.documents[index]?.load === undefined ? hint : `${hint}\0${sha256}`,
    ),
  )
  return new Set(names).size
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

function meanAndMax(values: readonly number[]): MeanAndMax | null {
  return values.length === 0 ? null : { mean: sumOf(values) / values.length, max: Math.max(...values) }
}
