import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod/v4'
import { tracePath } from '../../../logs/writer.ts'
import { type AttemptFile, attemptSchema } from '../../core/attempt.ts'
import { DataError } from '../../core/errors.ts'
import { formatCount, pickVerb } from '../../score/explain/wording.ts'
import { sha256, sha256OfFile } from '../../system/hash.ts'
import { iterateRecords } from './json-lines.ts'

/** A file of an attempt that is not as it was recorded. */
export interface FileDamage {
  /** Relative to the run's folder. */
  readonly name: string
  readonly problem: 'missing' | 'shorter' | 'longer' | 'changed'
}

const nameBlob = (hash: string): string => `traces/blobs/${hash}`
const isShared = (name: string): boolean => name.startsWith(nameBlob(''))
const quotedHash = /"([0-9a-f]{64})"/g
/** The blobs that refer to further ones: the list of the documents that an attempt saw, and the recorded part of a fork. */
const hashOfList = /"(?:sight|prefix)":"([0-9a-f]{64})"/g

/**
 * Describes the files of an attempt, which must be complete: its trace, its answers, and every text that they refer to.
 *
 * @param answers the paths of its answers, relative to the run's folder
 */
export async function describeFiles(
  folder: string,
  attemptId: string,
  answers: readonly string[],
): Promise<AttemptFile[]> {
  const describe = (name: string, content: Buffer): AttemptFile => ({
    name,
    bytes: content.length,
    sha256: sha256(content),
  })
  const trace = await readFile(tracePath(folder, attemptId)).catch(missingAsNull)
  const text = trace?.toString('utf8') ?? ''
  const files = trace === null ? [] : [describe(`traces/${attemptId}.jsonl`, trace)]
  for (const name of answers) files.push(describe(name, await readFile(join(folder, name))))
  const hashes = new Set(findHashes(text, quotedHash))
  for (const hash of findHashes(text, hashOfList)) {
    const list = await readFile(join(folder, nameBlob(hash)), 'utf8').catch(missingAsNull)
    for (const inner of findHashes(list ?? '', quotedHash)) hashes.add(inner)
  }
  for (const hash of [...hashes].sort()) {
    const bytes = await readLength(join(folder, nameBlob(hash)))
    // Hashes of web pages' bytes are in traces too. They name no text of the run.
    if (bytes !== null) files.push({ name: nameBlob(hash), bytes, sha256: hash })
  }
  return files
}

const findHashes = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, hash]) => hash!)

function missingAsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ELOOP') return null
  throw error
}

/** Returns the length of a file in bytes; null when it is missing, or something else is in its place. */
async function readLength(path: string): Promise<number | null> {
  const entry = await stat(path).catch(missingAsNull)
  return entry?.isFile() ? entry.size : null
}

type CheckDepth = 'all' | 'own'

/**
 * Checks files of attempts. Attempts share texts, so each of those is checked once.
 *
 * @param depth `all` reads every file; `own` reads the trace and the answers of each attempt, and compares the lengths of
 *   shared texts, which is fast
 */
function createFileCheck(folder: string, depth: CheckDepth) {
  const shared = new Map<string, Promise<FileDamage['problem'] | null>>()
  const problemOf = async ({ name, bytes, sha256: expected }: AttemptFile) => {
    const path = join(folder, name)
    const length = await readLength(path)
    if (length === null) return 'missing'
    if (length !== bytes) return length < bytes ? 'shorter' : 'longer'
    const isRead = depth === 'all' || !isShared(name)
    return isRead && (await sha256OfFile(path)) !== expected ? 'changed' : null
  }
  /** Returns the files that are not as recorded; empty for a record that lists none. */
  return async (files: readonly AttemptFile[] = []): Promise<FileDamage[]> => {
    const damages: FileDamage[] = []
    for (const file of files) {
      const check = shared.get(file.name) ?? problemOf(file)
      if (isShared(file.name)) shared.set(file.name, check)
      const problem = await check
      if (problem !== null) damages.push({ name: file.name, problem })
    }
    return damages
  }
}

/** Says what is wrong with a file: `shorter than it was recorded`. */
export function formatDamage({ problem }: FileDamage): string {
  return damageTexts[problem]
}

const damageTexts: Readonly<Record<FileDamage['problem'], string>> = {
  missing: 'missing, or not a regular file',
  shorter: 'shorter than it was recorded',
  longer: 'longer than it was recorded',
  changed: 'changed since it was recorded',
}

/** The fields of an attempt that its files and leaks are checked by. */
export const fileListSchema = attemptSchema.pick({
  attemptId: true,
  taskId: true,
  benchmark: true,
  setting: true,
  files: true,
  termination: true,
})
export type FileList = z.infer<typeof fileListSchema>

/** An attempt with files that are not as recorded. */
export interface DamagedAttempt {
  readonly attemptId: string
  readonly damages: readonly FileDamage[]
}

/**
 * Finds the attempts of a run with damaged files, in the order of the records.
 *
 * @param records the attempts to check; by default those of attempts.jsonl
 * @throws DataError [invalid-record, damaged-record] that names the line
 */
export async function findDamagedAttempts(
  folder: string,
  depth: CheckDepth,
  records: AsyncIterable<FileList> | Iterable<FileList> = iterateRecords(
    join(folder, 'attempts.jsonl'),
    fileListSchema,
  ),
): Promise<DamagedAttempt[]> {
  const check = createFileCheck(folder, depth)
  const damaged = new Map<string, DamagedAttempt>()
  for await (const { attemptId, files } of records) {
    const damages = await check(files)
    // A later record of the same attempt replaces an earlier one.
    if (damages.length === 0) damaged.delete(attemptId)
    else damaged.set(attemptId, { attemptId, damages })
  }
  return [...damaged.values()]
}

/** Says how many attempts of a run have damaged files, and what to do; null when all are whole. */
export async function readDamagedFilesNotice(folder: string): Promise<string | null> {
  const [first, ...furtherAttempts] = await findDamagedAttempts(folder, 'own')
  return first === undefined
    ? null
    : makeDamagedFileError(folder, first.damages[0]!, 1 + furtherAttempts.length).message
}

/** Writes to stderr which runs have damaged files, after the name of the command. */
export async function warnOfDamagedFiles(command: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const notice = await readDamagedFilesNotice(folder)
    if (notice !== null) process.stderr.write(`${command}: ${notice}\n`)
  }
}

/**
 * Refuses a run with damaged answers, whose scores would be wrong. Without a trace or a text, only classes of losses are unknown.
 *
 * @throws DataError [damaged-file] that names the first answer
 */
export async function requireWholeAnswers(folder: string): Promise<void> {
  const damages = (await findDamagedAttempts(folder, 'own')).flatMap(attempt =>
    attempt.damages.filter(({ name }) => name.startsWith('answers/')).slice(0, 1),
  )
  if (damages[0] !== undefined) throw makeDamagedFileError(folder, damages[0], damages.length)
}

/** The error for attempts whose files are not as recorded. Code `damaged-file`. */
export function makeDamagedFileError(folder: string, damage: FileDamage, attempts: number): DataError {
  const count = `${formatCount(attempts, 'attempt')} ${pickVerb(attempts, 'has', 'have')} damaged files`
  return new DataError(
    `${folder}: ${count}: ${damage.name} is ${formatDamage(damage)}. Run the command that made the run again: it makes these attempts again. tablehunt verify ${folder} lists them.`,
    { code: 'damaged-file' },
  )
}
