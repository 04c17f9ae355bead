import type { ExportedAttempt } from '../exported-run.ts'
import { armColumns, joinColumns } from '../identity-columns.ts'
import {
  boolean,
  type Column,
  type ExportTable,
  integer,
  json,
  jsonText,
  number,
  text,
  time,
} from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  ...armColumns,
  text('benchmark', 'The benchmark that loaded the task.', ({ source }) => source.attempt.benchmark),
  text('language', 'The language of the task.', ({ source }) => source.attempt.language),
  json(
    'facets',
    'Further names and values that reports can group by; null when there are none.',
    ({ source }) => jsonText(source.attempt.facets),
  ),
  text(
    'agent',
    'Who ran the attempt; null when the record does not say.',
    ({ source }) => source.attempt.agent ?? null,
  ),
  integer('seed', 'The seed of the run.', ({ source }) => source.attempt.seed),
  time('startedAt', 'When the attempt began.', ({ source }) => source.attempt.startedAt),
  time('endedAt', 'When it ended.', ({ source }) => source.attempt.endedAt),
  text('cause', 'What ended the attempt.', ({ source }) => source.attempt.termination.cause),
  text(
    'reason',
    'Why it ended, as one of a closed set for each cause.',
    ({ source }) => source.attempt.termination.reason,
  ),
  text(
    'parseStatus',
    'The kind of answer that could be read; `unreadable` or `none` otherwise.',
    ({ source }) => source.attempt.answer.parseStatus,
  ),
  text(
    'parseNote',
    'What was unusual about the answer; null when there is nothing to say.',
    ({ source }) => source.attempt.answer.parseNote,
  ),
  integer(
    'answerRows',
    'Data rows of the answer; null when no table could be read.',
    ({ source }) => source.attempt.answer.rows,
  ),
  json(
    'answerColumns',
    'The names of the columns of the answer; null when no table could be read.',
    ({ source }) => jsonText(source.attempt.answer.columns),
  ),
  text(
    'answer',
    'The answer as read: a table as CSV, a JSON value as JSON, or a text. Null when none could be read.',
    ({ source }) => answerText(source),
  ),
  integer(
    'inputTokens',
    'Tokens of all prompts, cached ones included; null when not known.',
    ({ source }) => source.attempt.usage.inputTokens,
    'tokens',
  ),
  integer(
    'cachedInputTokens',
    'Those of `inputTokens` that came from a cache; null when not known.',
    ({ source }) => source.attempt.usage.cachedInputTokens,
    'tokens',
  ),
  integer(
    'outputTokens',
    'Tokens of all answers, reasoning included; null when not known.',
    ({ source }) => source.attempt.usage.outputTokens,
    'tokens',
  ),
  integer(
    'reasoningTokens',
    'Those of `outputTokens` that were reasoning; null when not known.',
    ({ source }) => source.attempt.usage.reasoningTokens,
    'tokens',
  ),
  integer(
    'modelCalls',
    'Calls of the model under test; null when not known.',
    ({ source }) => source.attempt.usage.modelCalls,
  ),
  integer('searchCalls', 'Searches; null when not known.', ({ source }) => source.attempt.usage.searchCalls),
  integer(
    'fetchCalls',
    'Fetches of pages and documents; null when not known.',
    ({ source }) => source.attempt.usage.fetchCalls,
  ),
  integer(
    'toolErrors',
    'Tool calls that failed; null when not known.',
    ({ source }) => source.attempt.usage.toolErrors,
  ),
  integer(
    'wallMs',
    'Time from the beginning to the end; null when not known.',
    ({ source }) => source.attempt.usage.wallMs,
    'milliseconds',
  ),
  integer(
    'workingMs',
    '`wallMs` without the waits before retries; null when not known.',
    ({ source }) => source.attempt.usage.workingMs,
    'milliseconds',
  ),
  number(
    'usd',
    'Cost of model, searches and fetches together; null when a price is unknown.',
    ({ source }) => source.attempt.usage.usd,
    'US dollars',
  ),
  number(
    'usdModel',
    'Cost of the model; null when its price is unknown.',
    ({ source }) => source.attempt.usage.usdModel,
    'US dollars',
  ),
  number(
    'usdSearch',
    'Cost of the searches; null when their price is unknown.',
    ({ source }) => source.attempt.usage.usdSearch,
    'US dollars',
  ),
  number(
    'usdFetch',
    'Cost of the fetches; null when their price is unknown.',
    ({ source }) => source.attempt.usage.usdFetch,
    'US dollars',
  ),
  text(
    'retriever',
    'The retriever; null in other settings than rag.',
    ({ source }) => source.attempt.retrieval?.retriever ?? null,
  ),
  text(
    'embedder',
    'The embedder; null in other settings than rag.',
    ({ source }) => source.attempt.retrieval?.embedder ?? null,
  ),
  integer(
    'retrievedChunks',
    'Chunks in the prompt; null in other settings than rag.',
    ({ source }) => source.attempt.retrieval?.chunksInPrompt ?? null,
  ),
  number(
    'evidenceInPrompt',
    'Share of the findable gold cells whose evidence is in the prompt; null in other settings than rag, and when not known.',
    ({ source }) => source.attempt.retrieval?.evidenceInPrompt ?? null,
    '0 to 1',
  ),
  boolean(
    'usageUncertain',
    "True when the provider's counts do not add up in any known form, so that tokens and cost are a guess.",
    ({ source }) => source.attempt.usage.uncertain === true,
  ),
  json(
    'missingDocuments',
    'The names of documents that the setting should have received and that have no readable text; null when all were read.',
    ({ source }) => jsonText(source.attempt.missingDocuments?.map(({ name }) => name)),
  ),
  number(
    'surfacedRecall',
    'Share of the documents that a search result led to; null in other settings than online, and when not known.',
    ({ source }) => source.attempt.discovery?.recall.surfaced ?? null,
    '0 to 1',
  ),
  number(
    'openedRecall',
    'Share of the documents that were opened; null like `surfacedRecall`.',
    ({ source }) => source.attempt.discovery?.recall.opened ?? null,
    '0 to 1',
  ),
  number(
    'parsedRecall',
    'Share of the documents of which text was shown; null like `surfacedRecall`.',
    ({ source }) => source.attempt.discovery?.recall.parsed ?? null,
    '0 to 1',
  ),
  number(
    'usedRecall',
    'Share of the documents of which a right value of the answer was shown; null like `surfacedRecall`.',
    ({ source }) => source.attempt.discovery?.recall.used ?? null,
    '0 to 1',
  ),
  boolean(
    'tainted',
    'True when the attempt met, or asked for, a source that gives answers away.',
    ({ source }) => source.isTainted,
  ),
]

/** One row for each attempt. */
export const attempts: ExportTable<Row> = {
  name: 'attempts',
  description: 'One row for each attempt.',
  columns,
  rowsOfAttempt: source => [{ source }],
}

function answerText({ attempt }: ExportedAttempt): string | null {
  const { csv, json, text } = attempt.answer
  return csv ?? text ?? jsonText(json)
}
