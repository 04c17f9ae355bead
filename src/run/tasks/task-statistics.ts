import { findAnswerKind } from '../../../tasks/kinds/answer-kinds.ts'
import type { JsonShape } from '../../core/answer-kind.ts'
import type { Task } from '../../core/task.ts'
import type { TokenCounter } from '../../models/token-count.ts'
import { groupByFacet } from '../../report/model/facets.ts'
import type { ReadDocument } from './read-documents.ts'

/** The mean and the largest value of a figure. */
export interface MeanAndMax {
  readonly mean: number
  readonly max: number
}

/** Pages of all documents, and of each; null when those of one are unknown. */
interface PageFigures {
  readonly pages: number | null
  readonly pagesPerDocument: MeanAndMax | null
}

/** The figures of tasks whose answer is JSON (ExtractBench, Tables 1, 2 and 6). */
interface JsonFigures {
  /** The largest depth of a schema; null when unknown. */
  readonly schemaDepth: number | null
  /** Values in the gold that are neither objects nor lists, of all tasks. */
  readonly goldLeaves: number | null
  readonly goldTokens: MeanAndMax | null
  readonly listItems: MeanAndMax | null
}

/** The figures of one domain, as Table 2 of the AOE paper (arXiv 2507.16271) defines them. */
export interface DomainStatistics extends PageFigures, JsonFigures {
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

/** What statistics are computed with. */
export interface StatisticsOptions {
  /** The facet by which tasks are grouped. */
  readonly facet: string
  readonly countTokens: TokenCounter
}

/**
 * Computes statistics by domain or another facet, in the order in which its values first appear, then for `all` tasks.
 *
 * @param documents - the documents of each task
 * @throws ConfigError [unknown-facet] when no task has the facet
 */
export function computeTaskStatistics(
  tasks: readonly Task[],
  documents: readonly (readonly ReadDocument[])[],
  { facet, countTokens }: StatisticsOptions,
): DomainStatistics[] {
  const questions = groupByFacet(
    tasks.map(({ question }) => question),
    facet,
  )
  const members = tasks.map((task, at) => ({ task, documents: documents[at]!, group: questions[at]!.domain }))
  const groups = [...new Set(members.map(({ group }) => group))].map(name => ({
    name,
    groupMembers: members.filter(({ group }) => group === name),
  }))
  return [...groups, { name: 'all', groupMembers: members }].map(({ name, groupMembers }) =>
    computeStatistics(name, groupMembers, countTokens),
  )
}

interface Member {
  readonly task: Task
  readonly documents: readonly ReadDocument[]
}

function computeStatistics(
  domain: string,
  members: readonly Member[],
  countTokens: TokenCounter,
): DomainStatistics {
  const documents = members.flatMap(member => member.documents)
  const tokens = documents.flatMap(document => document.tokens ?? [])
  const shapes = members.map(({ task: { gold } }) => findAnswerKind(gold).shape(gold))
  const tables = shapes.flatMap(({ rows, columns }) =>
    rows === null || columns === null ? [] : [{ rows, columns }],
  )
  const inputs = members.map(({ documents: memberDocuments }) =>
    memberDocuments.every(document => document.tokens !== null)
      ? sumOf(memberDocuments.map(document => document.tokens!))
      : null,
  )
  const isKnown = inputs.every(input => input !== null)
  return {
    domain,
    languages: [...new Set(members.map(({ task }) => task.question.language))].sort(),
    tasks: members.length,
    tables: tables.length,
    documents: documents.length,
    distinctDocuments: countDistinct(members),
    uncountedDocuments: documents.length - tokens.length,
    tokensPerDocument: tokens.length === 0 ? null : sumOf(tokens) / tokens.length,
    documentsPerTask: meanAndMax(members.map(member => member.documents.length))!,
    rows: meanAndMax(tables.map(({ rows }) => rows)),
    columns: meanAndMax(tables.map(({ columns }) => columns)),
    cells: meanAndMax(tables.map(({ rows, columns }) => rows * columns)),
    inputTokensPerTask: isKnown ? sumOf(inputs.map(input => input ?? 0)) / inputs.length : null,
    schemaKeys: meanAndMax(shapes.flatMap(({ schemaKeys }) => schemaKeys ?? [])),
    goldValues: meanAndMax(shapes.flatMap(({ values }) => values ?? [])),
    ...countPages(documents),
    ...computeJsonFigures(
      shapes.flatMap(({ json }) => json ?? []),
      countTokens,
    ),
  }
}

function countPages(documents: readonly ReadDocument[]): PageFigures {
  const pages = documents.flatMap(document => document.pages ?? [])
  const isKnown = pages.length > 0 && pages.length === documents.length
  return isKnown
    ? { pages: sumOf(pages), pagesPerDocument: meanAndMax(pages) }
    : { pages: null, pagesPerDocument: null }
}

function computeJsonFigures(shapes: readonly JsonShape[], countTokens: TokenCounter): JsonFigures {
  const depths = shapes.flatMap(({ depth }) => depth ?? [])
  return {
    schemaDepth: depths.length === 0 ? null : Math.max(...depths),
    goldLeaves: shapes.length === 0 ? null : sumOf(shapes.map(({ leaves }) => leaves)),
    goldTokens: meanAndMax(shapes.map(({ text }) => countTokens(text))),
    listItems: meanAndMax(shapes.map(({ listItems }) => listItems)),
  }
}

/** Counts distinct documents. Supplied documents with the same name and different texts are different documents. */
function countDistinct(members: readonly Member[]): number {
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
