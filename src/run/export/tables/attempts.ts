import type { ExportedAttempt } from '../exported-run.ts'
import { armColumns, joinColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, jsonText } from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  ...armColumns,
  {
    name: 'benchmark',
    type: 'text',
    unit: '',
    description: 'The benchmark that loaded the task.',
    value: ({ source }) => source.attempt.benchmark,
  },
  {
    name: 'language',
    type: 'text',
    unit: '',
    description: 'The language of the task.',
    value: ({ source }) => source.attempt.language,
  },
  {
    name: 'facets',
    type: 'json',
    unit: '',
    description: 'Further names and values that reports can group by; null when there are none.',
    value: ({ source }) => jsonText(source.attempt.facets),
  },
  {
    name: 'agent',
    type: 'text',
    unit: '',
    description: 'Who ran the attempt; null when the record does not say.',
    value: ({ source }) => source.attempt.agent ?? null,
  },
  {
    name: 'seed',
    type: 'integer',
    unit: '',
    description: 'The seed of the run.',
    value: ({ source }) => source.attempt.seed,
  },
  {
    name: 'startedAt',
    type: 'time',
    unit: '',
    description: 'When the attempt began.',
    value: ({ source }) => source.attempt.startedAt,
  },
  {
    name: 'endedAt',
    type: 'time',
    unit: '',
    description: 'When it ended.',
    value: ({ source }) => source.attempt.endedAt,
  },
  {
    name: 'cause',
    type: 'text',
    unit: '',
    description: 'What ended the attempt.',
    value: ({ source }) => source.attempt.termination.cause,
  },
  {
    name: 'reason',
    type: 'text',
    unit: '',
    description: 'Why it ended, as one of a closed set for each cause.',
    value: ({ source }) => source.attempt.termination.reason,
  },
  {
    name: 'parseStatus',
    type: 'text',
    unit: '',
    description: 'The kind of answer that could be read; `unreadable` or `none` otherwise.',
    value: ({ source }) => source.attempt.answer.parseStatus,
  },
  {
    name: 'parseNote',
    type: 'text',
    unit: '',
    description: 'What was unusual about the answer; null when there is nothing to say.',
    value: ({ source }) => source.attempt.answer.parseNote,
  },
  {
    name: 'answerRows',
    type: 'integer',
    unit: '',
    description: 'Data rows of the answer; null when no table could be read.',
    value: ({ source }) => source.attempt.answer.rows,
  },
  {
    name: 'answerColumns',
    type: 'json',
    unit: '',
    description: 'The names of the columns of the answer; null when no table could be read.',
    value: ({ source }) => jsonText(source.attempt.answer.columns),
  },
  {
    name: 'answer',
    type: 'text',
    unit: '',
    description:
      'The answer as read: a table as CSV, a JSON value as JSON, or a text. Null when none could be read.',
    value: ({ source }) => answerText(source),
  },
  {
    name: 'inputTokens',
    type: 'integer',
    unit: 'tokens',
    description: 'Tokens of all prompts, cached ones included; null when not known.',
    value: ({ source }) => source.attempt.usage.inputTokens,
  },
  {
    name: 'cachedInputTokens',
    type: 'integer',
    unit: 'tokens',
    description: 'Those of `inputTokens` that came from a cache; null when not known.',
    value: ({ source }) => source.attempt.usage.cachedInputTokens,
  },
  {
    name: 'outputTokens',
    type: 'integer',
    unit: 'tokens',
    description: 'Tokens of all answers, reasoning included; null when not known.',
    value: ({ source }) => source.attempt.usage.outputTokens,
  },
  {
    name: 'reasoningTokens',
    type: 'integer',
    unit: 'tokens',
    description: 'Those of `outputTokens` that were reasoning; null when not known.',
    value: ({ source }) => source.attempt.usage.reasoningTokens,
  },
  {
    name: 'modelCalls',
    type: 'integer',
    unit: '',
    description: 'Calls of the model under test; null when not known.',
    value: ({ source }) => source.attempt.usage.modelCalls,
  },
  {
    name: 'searchCalls',
    type: 'integer',
    unit: '',
    description: 'Searches; null when not known.',
    value: ({ source }) => source.attempt.usage.searchCalls,
  },
  {
    name: 'fetchCalls',
    type: 'integer',
    unit: '',
    description: 'Fetches of pages and documents; null when not known.',
    value: ({ source }) => source.attempt.usage.fetchCalls,
  },
  {
    name: 'toolErrors',
    type: 'integer',
    unit: '',
    description: 'Tool calls that failed; null when not known.',
    value: ({ source }) => source.attempt.usage.toolErrors,
  },
  {
    name: 'wallMs',
    type: 'integer',
    unit: 'milliseconds',
    description: 'Time from the beginning to the end; null when not known.',
    value: ({ source }) => source.attempt.usage.wallMs,
  },
  {
    name: 'workingMs',
    type: 'integer',
    unit: 'milliseconds',
    description: '`wallMs` without the waits before retries; null when not known.',
    value: ({ source }) => source.attempt.usage.workingMs,
  },
  {
    name: 'usd',
    type: 'number',
    unit: 'US dollars',
    description: 'Cost of model, searches and fetches together; null when a price is unknown.',
    value: ({ source }) => source.attempt.usage.usd,
  },
  {
    name: 'usdModel',
    type: 'number',
    unit: 'US dollars',
    description: 'Cost of the model; null when its price is unknown.',
    value: ({ source }) => source.attempt.usage.usdModel,
  },
  {
    name: 'usdSearch',
    type: 'number',
    unit: 'US dollars',
    description: 'Cost of the searches; null when their price is unknown.',
    value: ({ source }) => source.attempt.usage.usdSearch,
  },
  {
    name: 'usdFetch',
    type: 'number',
    unit: 'US dollars',
    description: 'Cost of the fetches; null when their price is unknown.',
    value: ({ source }) => source.attempt.usage.usdFetch,
  },
  {
    name: 'retriever',
    type: 'text',
    unit: '',
    description: 'The retriever; null in other settings than rag.',
    value: ({ source }) => source.attempt.retrieval?.retriever ?? null,
  },
  {
    name: 'embedder',
    type: 'text',
    unit: '',
    description: 'The embedder; null in other settings than rag.',
    value: ({ source }) => source.attempt.retrieval?.embedder ?? null,
  },
  {
    name: 'retrievedChunks',
    type: 'integer',
    unit: '',
    description: 'Chunks in the prompt; null in other settings than rag.',
    value: ({ source }) => source.attempt.retrieval?.chunksInPrompt ?? null,
  },
  {
    name: 'evidenceInPrompt',
    type: 'number',
    unit: '0 to 1',
    description:
      'Share of the findable gold cells whose evidence is in the prompt; null in other settings than rag, and when not known.',
    value: ({ source }) => source.attempt.retrieval?.evidenceInPrompt ?? null,
  },
  {
    name: 'usageUncertain',
    type: 'boolean',
    unit: '',
    description:
      "True when the provider's counts do not add up in any known form, so that tokens and cost are a guess.",
    value: ({ source }) => source.attempt.usage.uncertain === true,
  },
  {
    name: 'missingDocuments',
    type: 'json',
    unit: '',
    description:
      'The names of documents that the setting should have received and that have no readable text; null when all were read.',
    value: ({ source }) => jsonText(source.attempt.missingDocuments?.map(({ name }) => name)),
  },
  {
    name: 'surfacedRecall',
    type: 'number',
    unit: '0 to 1',
    description:
      'Share of the documents that a search result led to; null in other settings than online, and when not known.',
    value: ({ source }) => source.attempt.discovery?.recall.surfaced ?? null,
  },
  {
    name: 'openedRecall',
    type: 'number',
    unit: '0 to 1',
    description: 'Share of the documents that were opened; null like `surfacedRecall`.',
    value: ({ source }) => source.attempt.discovery?.recall.opened ?? null,
  },
  {
    name: 'parsedRecall',
    type: 'number',
    unit: '0 to 1',
    description: 'Share of the documents of which text was shown; null like `surfacedRecall`.',
    value: ({ source }) => source.attempt.discovery?.recall.parsed ?? null,
  },
  {
    name: 'usedRecall',
    type: 'number',
    unit: '0 to 1',
    description:
      'Share of the documents of which a right value of the answer was shown; null like `surfacedRecall`.',
    value: ({ source }) => source.attempt.discovery?.recall.used ?? null,
  },
  {
    name: 'tainted',
    type: 'boolean',
    unit: '',
    description: 'True when the attempt met, or asked for, a source that gives answers away.',
    value: ({ source }) => source.isTainted,
  },
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
