import type { Task } from '../../core/task.ts'
import { openDocumentReader } from '../open-run/document-side.ts'
import { makeDocumentSource, readKnownDocuments } from '../open-run/documents.ts'
import { type JudgeOptions, openJudgeAlone } from '../open-run/judge.ts'
import { openCache } from '../open-run/open-cache.ts'
import { chooseScorers } from '../plan/choose-scorers.ts'
import { withOptionalDocuments } from '../plan/optional-documents.ts'
import { readTasks, type TaskOptions } from '../plan/read-tasks.ts'
import type { ImportScoring } from './measure-import.ts'

/** The options that decide with which tasks an import is scored, and how. */
export interface ImportConfig extends TaskOptions, JudgeOptions {
  readonly docs: string | null
  readonly scorer: readonly string[]
  readonly successAt: number | null
  readonly cache: string | null
}

/** The tasks of an import with everything that scores their attempts. */
export interface ImportGold extends ImportScoring {
  readonly tasks: readonly Task[]
  close(): Promise<void>
}

/**
 * Reads the tasks that samples are matched to, and opens the judge and the reader of documents.
 *
 * @throws DataError [no-task] ConfigError [wrong-scorer, needs-judge-model, unknown-model, folder-not-writable]
 */
export async function openGold(config: ImportConfig): Promise<ImportGold> {
  const { docs, successAt } = config
  const tasks = await withOptionalDocuments((await readTasks(config)).tasks, docs)
  const scorers = chooseScorers(config, tasks)
  const judge = await openJudgeAlone(config)
  const reader = await openDocumentReader(await openCache({ cache: config.cache, env: process.env }))
  const documents = makeDocumentSource(reader, docs)
  return {
    tasks,
    scorers,
    judge,
    successAt,
    documentsOf: task => readKnownDocuments(task, { documents }, { docs }),
    close: () => reader.close(),
  }
}
