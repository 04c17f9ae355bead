import type { ExportedAttempt } from '../exported-run.ts'
import { armColumns, joinColumns } from '../identity-columns.ts'
import {
  boolean,
  type Column,
  type ExportTable,
  fieldColumns,
  integer,
  json,
  jsonText,
  number,
  text,
} from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  ...armColumns,
  ...fieldColumns(({ source }: Row) => source.attempt, {
    benchmark: ['text', 'The benchmark that loaded the task.'],
    language: ['text', 'The language of the task.'],
    facets: ['json', 'Further names and values that reports can group by; null when there are none.'],
    agent: ['text', 'Who ran the attempt; null when the record does not say.'],
    seed: ['integer', 'The seed of the run.'],
    startedAt: ['time', 'When the attempt began.'],
    endedAt: ['time', 'When it ended.'],
  }),
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
  ...fieldColumns(({ source }: Row) => source.attempt.usage, {
    inputTokens: ['integer', 'Tokens of all prompts, cached ones included; null when not known.', 'tokens'],
    cachedInputTokens: [
      'integer',
      'Those of `inputTokens` that came from a cache; null when not known.',
      'tokens',
    ],
    outputTokens: ['integer', 'Tokens of all answers, reasoning included; null when not known.', 'tokens'],
    reasoningTokens: [
      'integer',
      'Those of `outputTokens` that were reasoning; null when not known.',
      'tokens',
    ],
    modelCalls: ['integer', 'Calls of the model under test; null when not known.'],
    searchCalls: ['integer', 'Searches; null when not known.'],
    fetchCalls: ['integer', 'Fetches of pages and documents; null when not known.'],
    toolErrors: ['integer', 'Tool calls that failed; null when not known.'],
    wallMs: ['integer', 'Time from the beginning to the end; null when not known.', 'milliseconds'],
    workingMs: ['integer', '`wallMs` without the waits before retries; null when not known.', 'milliseconds'],
    usd: [
      'number',
      'Cost of model, searches and fetches together; null when a price is unknown.',
      'US dollars',
    ],
    usdModel: ['number', 'Cost of the model; null when its price is unknown.', 'US dollars'],
    usdSearch: ['number', 'Cost of the searches; null when their price is unknown.', 'US dollars'],
    usdFetch: ['number', 'Cost of the fetches; null when their price is unknown.', 'US dollars'],
  }),
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
