import { contextTokens, fillContext } from '../../../agents/chunk-prompt.ts'
import type { SettingEnvironment } from '../../../agents/setting.ts'
import type { ModelHandle } from '../../core/model.ts'
import type { TextIndexes } from '../../evidence/text-index.ts'
import { sha256 } from '../../system/hash.ts'
import type { RagArm } from '../plan/arms.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import type { RunResources } from '../resources/run-resources.ts'
import { evidenceOfTask } from '../resources/task-evidence.ts'
import { controls } from './controls/registry.ts'

/** The number of chunks in the AOE paper, and a lower bound of tokens per chunk with which a context of any size is filled. */
const leastDepth = 250
const leastChunkTokens = 64

/** How many chunks a ranking needs to fill a context of so many tokens. Null: the number of the retriever's preset. */
function depthFor(tokens: number | null): number | null {
  return tokens === null ? null : Math.max(leastDepth, Math.ceil(tokens / leastChunkTokens))
}

/**
 * Returns the function that retrieves the chunks of an attempt of the rag setting. It is the retriever, or a
 * control that fills a context of the same size. Controls may use gold; the setting receives only chunks.
 */
export function retrieveFor(
  planned: PlannedAttempt & { readonly rag: RagArm },
  resources: Pick<RunResources, 'retrieval'>,
  model: ModelHandle,
  indexes: TextIndexes,
): SettingEnvironment['retrieve'] {
  const { task, rag, seed } = planned
  const { question } = task
  return async (documents, signal, { queries, relevance }) => {
    const retrieval = resources.retrieval(rag.retriever)
    const asked = { depth: depthFor(rag.contextTokens), relevance, ...(queries === null ? {} : { queries }) }
    const retrieved = await retrieval.retrieve(question, documents, signal, asked)
    if (rag.control === null) return retrieved
    const countTokens = (text: string): number => model.countTokens(text)
    const control = await controls[rag.control].load()
    const ordered = control({
      chunks: await retrieval.chunks(documents),
      retrieved: retrieved.chunks,
      // Unknown evidence reaches only controls that do not need it: checkOptions refuses the others.
      evidence: evidenceOfTask(task, planned.setting) ?? [],
      indexes,
      seed: seedOf(question.taskId, seed),
    })
    const budget = rag.contextTokens ?? contextTokens(retrieved.chunks, countTokens)
    const chunks = fillContext(ordered, budget, countTokens)
    return { chunks, retriever: rag.control, embedder: retrieved.embedder, k: chunks.length }
  }
}

/** Each task has its own seed, so that tasks do not draw the same positions. */
function seedOf(taskId: string, seed: number): number {
  return Number.parseInt(sha256(JSON.stringify([taskId, seed])).slice(0, 8), 16)
}
