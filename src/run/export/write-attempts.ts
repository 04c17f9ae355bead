import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeOutput } from '../../system/atomic-write.ts'
import { makeDistinctName, writeFileName } from '../../text/file-name.ts'
import type { ExportedAttempt } from './table.ts'
import type { ExportedFile } from './write-tables.ts'

/** What an export of logs wrote. */
export interface WrittenLogs {
  readonly files: ExportedFile[]
  readonly notices: string[]
}

/** What the file of an attempt contains, and where it is. */
interface LogFile {
  /** What the attempts of a folder have in common, such as the run and the arm. */
  readonly group: readonly (string | number)[]
  /** Its name without ending. */
  readonly name: string
  readonly content: unknown
}

/** Creates a function that names files after groups of attempts. Two groups never get one name. */
export function createGroupNames(): (group: LogFile['group']) => string {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  return group => {
    const key = JSON.stringify(group)
    const name = names.get(key) ?? makeDistinctName(writeFileName(group.join('-')), taken)
    names.set(key, name)
    return name
  }
}

/** Writes a JSON file for each attempt, in a folder for each group. Returns the folders. */
export async function writeAttempts(
  attempts: AsyncIterable<ExportedAttempt>,
  to: string,
  createFile: (attempt: ExportedAttempt) => LogFile | Promise<LogFile>,
): Promise<ExportedFile[]> {
  const counts = new Map<string, number>()
  const taken = new Set<string>()
  const groupName = createGroupNames()
  for await (const attempt of attempts) {
    const { group, name, content } = await createFile(attempt)
    const folder = join(to, groupName(group))
    await mkdir(folder, { recursive: true })
    const path = `${makeDistinctName(join(folder, name), taken)}.json`
    await writeOutput(path, `${JSON.stringify(content, null, 2)}\n`)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].map(([path, rows]) => ({ path, rows, noun: 'files' }))
}
