import { existsSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attempt } from '../../core/attempt.ts'
import { DataError } from '../../core/errors.ts'
import { overwriteFile } from '../../system/atomic-write.ts'
import { ifMissing } from '../../system/files.ts'
import { sha256 } from '../../system/hash.ts'
import { valueWithoutSecrets } from '../../system/secret-values.ts'
import { makeDamagedFileError } from './attempt-files.ts'

/** The texts that a model wrote: its last answer, and the answer to each question of a conversation. */
export interface AnswerTexts {
  /** Null without an answer. */
  readonly answerText: string | null
  /**
   * One text for each question, in order; the last is `answerText`. Absent when the task has one question.
   */
  readonly turnTexts?: readonly (string | null)[] | undefined
}

/** Returns the text for each question, in order. */
export function listTurnTexts({ answerText, turnTexts }: AnswerTexts): readonly (string | null)[] {
  return turnTexts ?? [answerText]
}

/**
 * The names of an attempt's answers in the run's folder: `answers/ID.turn-1.txt` and so on for earlier questions,
 * `answers/ID.txt` for the last one.
 */
function answerNames(attemptId: string, turns: number): string[] {
  const earlier = Array.from({ length: turns - 1 }, (_, turn) => `${attemptId}.turn-${turn + 1}.txt`)
  return [...earlier, `${attemptId}.txt`].map(name => `answers/${name}`)
}

/**
 * Writes the answers of an attempt without secrets, and deletes the files of an earlier try that the new answers do not
 * replace.
 *
 * @returns the names of the written files in the run's folder
 */
export async function writeAnswers(
  folder: string,
  attemptId: string,
  answers: AnswerTexts,
): Promise<string[]> {
  const texts = valueWithoutSecrets(listTurnTexts(answers))
  const written: string[] = []
  for (const [turn, name] of answerNames(attemptId, texts.length).entries()) {
    const path = join(folder, name)
    const text = texts[turn] ?? null
    if (text === null) rmSync(path, { force: true })
    else {
      await overwriteFile(path, text)
      written.push(name)
    }
  }
  return written
}

/**
 * Reads the answers of an attempt as the model wrote them.
 *
 * @throws DataError [answer-missing] when a recorded answer has no file; [damaged-file] when the file has changed
 */
export async function readAnswers(
  folder: string,
  { attemptId, answer, turns, files = [] }: Attempt,
): Promise<AnswerTexts> {
  const records = turns?.map(turn => turn.answer) ?? [answer]
  const texts = await Promise.all(
    answerNames(attemptId, records.length).map(async (name, turn) => {
      const path = join(folder, name)
      const bytes = await readFile(path).catch(ifMissing)
      const recorded = files.find(file => file.name === name)
      if (bytes !== null && recorded !== undefined && sha256(bytes) !== recorded.sha256)
        throw makeDamagedFileError(folder, { name, problem: 'changed' }, 1)
      if (bytes !== null) return bytes.toString('utf8')
      if (records[turn]?.parseStatus === 'none' && existsSync(join(folder, 'answers'))) return null
      throw new DataError(
        `${path}: the file of this answer is missing, so the attempt cannot be scored. Restore the file from a copy of the run.`,
        { code: 'answer-missing' },
      )
    }),
  )
  return { answerText: texts.at(-1) ?? null, ...(turns === undefined ? {} : { turnTexts: texts }) }
}
