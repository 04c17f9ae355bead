import type { Attempt } from '../../core/attempt.ts'
import { writeFileName } from '../../text/file-name.ts'
import { type ExportedAttempt, type ExportedTrace, formatJson } from './table.ts'
import { listTracedCalls, type TracedCall } from './traced-calls.ts'
import { type WrittenLogs, writeAttempts } from './write-attempts.ts'

/** One step of an attempt in a run file. */
export interface RunFileStep {
  readonly type: 'reasoning' | 'tool_call' | 'output_text'
  readonly tool_name: string | null
  /** The input of a tool as JSON. */
  readonly arguments: string | null
  readonly output: string | readonly string[] | null
}

/** A run file of BrowseComp-Plus: one attempt at one question. */
export interface RunFile {
  readonly metadata: { readonly model: string }
  readonly query_id: string
  readonly tool_call_counts: Readonly<Record<string, number>>
  readonly usage: Readonly<Record<string, number | null>>
  /** `completed`, or the cause and reason of another end. */
  readonly status: string
  readonly retrieved_docids: readonly string[]
  /** The last step is the answer. */
  readonly result: readonly RunFileStep[]
}

/**
 * Writes one run file of BrowseComp-Plus for each attempt, in a folder for each arm and trial. The published evaluation
 * counts all files of a folder, so a folder has each question once.
 */
export async function writeRunFiles(
  attempts: AsyncIterable<ExportedAttempt>,
  to: string,
): Promise<WrittenLogs> {
  const notices: string[] = []
  const withoutId = new Set<string>()
  const files = await writeAttempts(attempts, to, exported => {
    const { run, arm, attempt, events } = exported
    if (events === null)
      notices.push(`${attempt.attemptId}: the trace cannot be read. Its run file has the answer only.`)
    if (attempt.discovery?.retrieved === undefined)
      for (const address of searchHits(listTracedCalls(exported)))
        if (findDocumentId(address) === null) withoutId.add(address)
    return {
      group: [run.name, arm, 'trial', attempt.trial],
      name: `run_${writeFileName(attempt.taskId)}`,
      content: createRunFile(exported),
    }
  })
  if (withoutId.size > 0)
    notices.push(
      `${withoutId.size} addresses of search results have no document id. retrieved_docids contains them only as judged documents that discovery recognised.`,
    )
  return { files, notices }
}

/** Makes the run file of an attempt. */
export function createRunFile({ attempt, ...trace }: ExportedTrace & { readonly attempt: Attempt }): RunFile {
  const { taskId, model, termination, answer } = attempt
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = attempt.usage
  const calls = listTracedCalls(trace)
  const toolCounts: Record<string, number> = {}
  for (const { kind, name } of calls)
    if (kind === 'tool' && name !== null) toolCounts[name] = (toolCounts[name] ?? 0) + 1
  const isAnswered = termination.cause === 'agent' && termination.reason === 'answered'
  const steps = calls.flatMap(listSteps)
  if (steps.at(-1)?.type !== 'output_text' && answer.text !== undefined)
    steps.push(makeTextStep('output_text', answer.text))
  return {
    metadata: { model },
    query_id: taskId,
    tool_call_counts: toolCounts,
    usage: {
      input_tokens: inputTokens,
      input_tokens_cached: cachedInputTokens,
      output_tokens: outputTokens,
      included_reasoning_tokens: reasoningTokens,
      total_tokens: inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
    },
    status: isAnswered ? 'completed' : `${termination.cause}/${termination.reason}`,
    retrieved_docids: listRetrievedDocuments(attempt, calls),
    result: steps,
  }
}

function listSteps({ kind, name, input, output, error, reasoning }: TracedCall): RunFileStep[] {
  if (kind === 'tool')
    return [{ type: 'tool_call', tool_name: name, arguments: formatJson(input), output: output ?? error }]
  // A side request, such as a summary, is not a turn of the agent.
  if (name !== null) return []
  return [
    ...(reasoning === null || reasoning === '' ? [] : [makeTextStep('reasoning', [reasoning])]),
    ...(output === null || output === '' ? [] : [makeTextStep('output_text', output)]),
  ]
}

function makeTextStep(type: RunFileStep['type'], output: RunFileStep['output']): RunFileStep {
  return { type, tool_name: null, arguments: null, output }
}

/**
 * Returns the ids of the documents that searches returned, in the order of the trace. Without a corpus, these are the results
 * that are ids themselves, followed by judged documents that discovery recognised.
 */
function listRetrievedDocuments({ discovery }: Attempt, calls: readonly TracedCall[]): readonly string[] {
  if (discovery?.retrieved !== undefined) return discovery.retrieved
  const ids = searchHits(calls).map(findDocumentId)
  const judged = discovery?.hints.filter(({ surfacedStep }) => surfacedStep !== null) ?? []
  return [...new Set([...ids.filter(id => id !== null), ...judged.map(({ hint }) => hint)])]
}

/** Returns the addresses that searches returned, in the order of the trace. */
function searchHits(calls: readonly TracedCall[]): string[] {
  const observations = calls.flatMap(call => call.observations)
  return observations.flatMap(observation =>
    observation.kind === 'hits' ? observation.hits.map(({ url }) => url) : [],
  )
}

/** Returns the id of a document that an imported log has in the place of an address; null for an address. */
const findDocumentId = (address: string): string | null =>
  address === '' || URL.canParse(address) ? null : address
