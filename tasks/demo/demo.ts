import { join } from 'node:path'
import { packageRoot } from '../../src/system/paths.ts'

const folder = join(packageRoot, 'tasks', 'demo')

/** The paths of the demo's task without document names, in WideSearch's layout, and of the pages that its web consists of. */
export const wideDemoPaths = {
  tasks: join(folder, 'wide', 'widesearch.jsonl'),
  pages: join(folder, 'wide', 'pages'),
} as const

/**
 * The paths of the demo that ships with the package: its tasks in AOE's format, their documents, and look-alikes of
 * these.
 */
export const demoPaths = {
  tasks: join(folder, 'tasks.jsonl'),
  documents: join(folder, 'documents'),
  distractors: join(folder, 'distractors'),
} as const
