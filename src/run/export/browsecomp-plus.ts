import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attempt } from '../../core/attempt.ts'
import type { ExportedFile } from './export-tables.ts'
import type { ExportedAttempt } from './exported-run.ts'
import { type TracedCall, tracedCalls } from './traced-calls.ts'

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
): Promise<{ files: ExportedFile[]; notices: string[] }> {
  const counts = new Map<string, number>()
  const notices: string[] = []
  const withoutId = new Set<string>()
  for await (const exported of attempts) {
    const { run, arm, attempt, events } = exported
    if (events === null)
      notices.push(`${attempt.attemptId}: the trace cannot be read. Its run file has the answer only.`)
    if (attempt.discovery?.retrieved === undefined)
      for (const address of searchHits(tracedCalls(exported)))
        if (documentIdAt(address) === null) withoutId.add(address)
    const folder = join(to, fileName(`${run.name}-${arm}-trial-${attempt.trial}`))
    await mkdir(folder, { recursive: true })
    const text = `${JSON.stringify(runFileOf(exported), null, 2)}\n`
    await writeFile(join(folder, `run_${fileName(attempt.taskId)}.json`), text)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  if (withoutId.size > 0)
    notices.push(
      `${withoutId.size} addresses of search results have no document id. retrieved_docids contains them only as judged documents that discovery recognised.`,
    )
  return { files: [...counts].map(([path, rows]) => ({ path, rows })), notices }
}

const fileName = (text: string): string => text.replace(/[^\w.-]+/g, '_')

/** Makes the run file of an attempt. */
export function runFileOf(exported: Pick<ExportedAttempt, 'attempt' | 'events' | 'blob'>): RunFile {
  const { attempt } = exported
  const calls = tracedCalls(exported)
  const toolCounts: Record<string, number> = {}
  for (const { kind, name } of calls)
    if (kind === 'tool' && name !== null) toolCounts[name] = (toolCounts[name] ?? 0) + 1
  return {
    metadata: { model: attempt.model },
    query_id: attempt.taskId,
    tool_call_counts: toolCounts,
    usage: usageOf(attempt),
    status: statusOf(attempt),
    retrieved_docids: retrievedDocuments(attempt, calls),
    result: stepsOf(attempt, calls),
  }
}

function usageOf({ usage }: Attempt): RunFile['usage'] {
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = usage
  return {
    input_tokens: inputTokens,
    input_tokens_cached: cachedInputTokens,
    output_tokens: outputTokens,
    included_reasoning_tokens: reasoningTokens,
    total_tokens: inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
  }
}

function statusOf({ termination: { cause, reason } }: Attempt): string {
  return cause === 'agent' && reason === 'answered' ? 'completed' : `${cause}/${reason}`
}

function stepsOf({ answer }: Attempt, calls: readonly TracedCall[]): RunFileStep[] {
  const steps = calls.flatMap(stepsOfCall)
  const isAnswered = steps.at(-1)?.type === 'output_text'
  return isAnswered || answer.text === undefined ? steps : [...steps, textStep('output_text', answer.text)]
}

function stepsOfCall({ kind, name, input, output, error, reasoning }: TracedCall): RunFileStep[] {
  if (kind === 'tool')
    return [{ type: 'tool_call', tool_name: name, arguments: input, output: output ?? error }]
  // A side request, such as a summary, is not a turn of the agent.
  if (name !== null) return []
  return [
    ...(reasoning === null || reasoning === '' ? [] : [textStep('reasoning', [reasoning])]),
    ...(output === null || output === '' ? [] : [textStep('output_text', output)]),
  ]
}

function textStep(type: RunFileStep['type'], output: RunFileStep['output']): RunFileStep {
  return { type, tool_name: null, arguments: null, output }
}

/**
 * Returns the ids of the documents that searches returned, in the order of the trace. Without a corpus, these are the results
 * that are ids themselves, followed by judged documents that discovery recognised.
 */
function retrievedDocuments({ discovery }: Attempt, calls: readonly TracedCall[]): readonly string[] {
  if (discovery?.retrieved !== undefined) return discovery.retrieved
  const found = searchHits(calls).map(documentIdAt)
  const judged = discovery?.hints.filter(({ surfacedStep }) => surfacedStep !== null) ?? []
  return [...new Set([...found.filter(id => id !== null), ...judged.map(({ hint }) => hint)])]
}

/** Returns the addresses that searches returned, in the order of the trace. */
function searchHits(calls: readonly TracedCall[]): string[] {
  return calls.flatMap(({ observations }) =>
    observations.flatMap(seen => (seen.kind === 'hits' ? seen.hits.map(({ url }) => url) : [])),
  )
}

/** Returns the id of a document that an imported log has in the place of an address; null for an address. */
const documentIdAt = (address: string): string | null =>
  address === '' || URL.canParse(address) ? null : address
