import { attemptSchema } from '../../core/attempt.ts'
import { describeIntervention } from '../../core/fork.ts'
import { usageSchema } from '../../core/usage.ts'
import { armColumns, identifyAttempt, joinColumns } from './arm-columns.ts'
import { boolean, declareTable, formatJson, integer, json, number, recordColumns, text } from './table.ts'

/** One row for each attempt. */
export const attempts = declareTable({
  name: 'attempts',
  description: 'One row for each attempt.',
  columns: {
    ...joinColumns,
    ...armColumns,
    ...recordColumns(attemptSchema, {
      benchmark: 'The benchmark that loaded the task.',
      language: 'The language of the task.',
      facets: 'Further names and values that reports can group by; null when there are none.',
      agent: 'Who ran the attempt; null when the record does not say.',
      isolation: 'How an agent of another project was kept apart from the machine; null for other attempts.',
      seed: 'The seed of the run.',
      startedAt: 'When the attempt began.',
      endedAt: 'When it ended.',
    }),
    ...text({
      cause: 'What ended the attempt.',
      reason: 'Why it ended, as one of a closed set for each cause.',
      parseStatus: 'The kind of answer that could be read; `unreadable` or `none` otherwise.',
      parseNote: 'What was unusual about the answer; null when there is nothing to say.',
    }),
    ...integer({ answerRows: 'Data rows of the answer; null when no table could be read.' }),
    ...json({ answerColumns: 'The names of the columns of the answer; null when no table could be read.' }),
    ...text({
      answer:
        'The answer as read: a table as CSV, a JSON value as JSON, or a text. Null when none could be read.',
    }),
    ...recordColumns(usageSchema, {
      inputTokens: 'Tokens of all prompts, cached ones included; null when not known.',
      cachedInputTokens: 'Those of `inputTokens` that came from a cache; null when not known.',
      outputTokens: 'Tokens of all answers, reasoning included; null when not known.',
      reasoningTokens: 'Those of `outputTokens` that were reasoning; null when not known.',
      modelCalls: 'Calls of the model under test; null when not known.',
      searchCalls: 'Searches; null when not known.',
      fetchCalls: 'Fetches of pages and documents; null when not known.',
      toolErrors: 'Tool calls that failed; null when not known.',
      wallMs: 'Time from the beginning to the end; null when not known.',
      workingMs: '`wallMs` without the waits before retries; null when not known.',
      usd: 'Cost of model, searches and fetches together; null when a price is unknown.',
      usdModel: 'Cost of the model; null when its price is unknown.',
      usdSearch: 'Cost of the searches; null when their price is unknown.',
      usdFetch: 'Cost of the fetches; null when their price is unknown.',
    }),
    ...text({
      retriever: 'The retriever; null in other settings than rag.',
      embedder: 'The embedder; null in other settings than rag.',
    }),
    ...integer({ retrievedChunks: 'Chunks in the prompt; null in other settings than rag.' }),
    ...number({
      evidenceInPrompt:
        'Share of the findable gold cells whose evidence is in the prompt; null in other settings than rag, and when not known.',
    }),
    ...boolean({
      usageUncertain:
        "True when the provider's counts do not add up in any known form, so that tokens and cost are a guess.",
    }),
    ...json({
      missingDocuments:
        'The names of documents that the setting should have received and that have no readable text; null when all were read.',
    }),
    ...number({
      surfacedRecall:
        'Share of the documents that a search result led to; null in other settings than online, and when not known.',
      openedRecall: 'Share of the documents that were opened; null like `surfacedRecall`.',
      parsedRecall: 'Share of the documents of which text was shown; null like `surfacedRecall`.',
      usedRecall:
        'Share of the documents of which a right value of the answer was shown; null like `surfacedRecall`.',
    }),
    ...boolean({ tainted: 'True when the attempt met, or asked for, a source that gives answers away.' }),
    ...text({
      forkedFrom: 'The attempt of which this one is a fork; null for other attempts.',
      intervention: 'What a fork changed, such as `give`; null for other attempts.',
      forkedClass: 'The loss class that a fork is about (`causes`); null for other attempts.',
    }),
    ...integer({ forkStep: 'The first model turn of a fork that was asked live; null for other attempts.' }),
    ...boolean({
      tookEffect:
        'False when the change of a fork changed nothing; null when it always does, and for other attempts.',
    }),
  },
  attemptRows: source => {
    const { termination, answer, usage, retrieval, discovery, missingDocuments, fork, ...attempt } =
      source.attempt
    return [
      {
        ...attempt,
        ...identifyAttempt(source),
        ...termination,
        ...answer,
        answerRows: answer.rows,
        answerColumns: answer.columns,
        answer: answer.csv ?? answer.text ?? formatJson(answer.json),
        ...usage,
        ...retrieval,
        retrievedChunks: retrieval?.chunksInPrompt,
        usageUncertain: usage.uncertain === true,
        missingDocuments: missingDocuments?.map(({ name }) => name),
        surfacedRecall: discovery?.recall.surfaced,
        openedRecall: discovery?.recall.opened,
        parsedRecall: discovery?.recall.parsed,
        usedRecall: discovery?.recall.used,
        tainted: source.isTainted,
        forkedFrom: fork?.attemptId,
        intervention: fork && describeIntervention(fork.intervention),
        forkedClass: fork?.lossClass,
        forkStep: fork?.atStep,
        tookEffect: fork?.tookEffect,
      },
    ]
  },
})

/** Why and how each attempt ended. */
export const terminations = declareTable({
  name: 'terminations',
  description: 'One row for each attempt: why and how it ended.',
  columns: {
    ...joinColumns,
    ...armColumns,
    ...text({
      cause: 'What ended the attempt: the agent itself, a budget, a provider, the harness or the operator.',
      reason: 'Why, as one of a closed set for each cause.',
    }),
    ...boolean({
      answerProduced: 'True when an answer of the asked kind could be read.',
      forcedFinal: 'True when a budget ran out and the model was asked for its final answer.',
    }),
    ...integer({
      lastHealthyStep: 'The last model turn, from 1, that ended without a failure; 0 when there was none.',
    }),
    ...text({
      detail: 'What exactly ended the attempt; null when cause and reason say all.',
      fatalService: 'The service whose failure only the operator can fix; null for any other end.',
    }),
  },
  attemptRows: source => [{ ...source.attempt.termination, ...identifyAttempt(source) }],
})

/** One row for each attempt and document of its task. */
export const documents = declareTable({
  name: 'documents',
  description:
    'One row for each attempt and document of its task: what the prompt contained, or what the agent found.',
  columns: {
    ...joinColumns,
    ...armColumns,
    ...text({ document: 'The name of the document, as the task gives it.' }),
    ...integer({
      chars: 'Length of its text (offline, rag); null in other settings.',
      charsInPrompt: 'How much of it is in the prompt (offline, rag); null in other settings.',
    }),
    ...text({
      problem:
        'Why its text, or part of it, could not be read; null when all could be, and in other settings.',
    }),
    ...integer({
      surfacedStep: 'The model turn in which a search result led to it (online); null when none did.',
      openedStep: 'The model turn in which a call downloaded it (online); null when none did.',
      parsedStep: 'The model turn in which text of it was shown (online); null when none was.',
      usedStep:
        'The model turn that showed a value which the answer has right (online); null when there is none.',
      triedStep:
        'The model turn of the first failed try to open it (online); null when it was opened or never tried.',
    }),
    ...text({
      query: 'The query that found it (online); null when no search did.',
      url: 'The address that it was found or opened at (online); null when it was neither.',
    }),
  },
  attemptRows: source => {
    const { context, discovery } = source.attempt
    const inPrompt = new Map(context?.documents.map(document => [document.hint, document]))
    const toFind = new Map(discovery?.hints.map(document => [document.hint, document]))
    const names = new Set([...inPrompt.keys(), ...toFind.keys()])
    return [...names].map(document => ({
      ...inPrompt.get(document),
      ...toFind.get(document),
      ...identifyAttempt(source),
      document,
    }))
  },
})
