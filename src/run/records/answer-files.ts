import { existsSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attempt } from '../../core/attempt.ts'
import { DataError } from '../../core/errors.ts'
import { overwriteFile } from '../../system/atomic-write.ts'
import { ifMissing } from '../../system/files.ts'

/** What a model wrote: its last answer, and the answer to each question of a conversation. */
export interface AnswerTexts {
  /** Null where there is none. */
  readonly answerText: string | null
  /** Of each question, in their order; the last is `answerText`. Absent: the task has one question. */
  readonly turnTexts?: readonly (string | null)[]
}

/** The text for each question, in their order; one for a task of one question. */
export function textOfEachTurn({ answerText, turnTexts }: AnswerTexts): readonly (string | null)[] {
  return turnTexts ?? [answerText]
}

/** `answers/ID.txt` of the last question; `answers/ID.turn-1.txt` and so on of those before it. */
function pathsOf(folder: string, attemptId: string, turns: number): string[] {
  const earlier = Array.from({ length: turns - 1 }, (_, turn) => `${attemptId}.turn-${turn + 1}.txt`)
  return [...earlier, `${attemptId}.txt`].map(name => join(folder, 'answers', name))
}

/** Writes the answers of an attempt. One that is made again may have left some: those without a text are deleted. */
export async function writeAnswers(folder: string, attemptId: string, answers: AnswerTexts): Promise<void> {
  const texts = textOfEachTurn(answers)
  for (const [turn, path] of pathsOf(folder, attemptId, texts.length).entries()) {
    const text = texts[turn] ?? null
    if (text === null) rmSync(path, { force: true })
    else await overwriteFile(path, text)
  }
}

/**
 * The answers as the model wrote them.
 * @throws DataError where the run had one that is gone
 */
export async function readAnswers(
  folder: string,
  { attemptId, answer, turns }: Pick<Attempt, 'attemptId' | 'answer' | 'turns'>,
): Promise<AnswerTexts> {
  const records = turns?.map(turn => turn.answer) ?? [answer]
  const paths = pathsOf(folder, attemptId, records.length)
  const texts = await Promise.all(
    paths.map(async (path, turn) => {
      const text = await readFile(path, 'utf8').catch(ifMissing)
      if (text !== null) return text
      if (records[turn]?.parseStatus === 'none' && existsSync(join(folder, 'answers'))) return null
      throw new DataError(`${path}: the answer is gone: without it the attempt cannot be scored again`)
    }),
  )
  return { answerText: texts.at(-1) ?? null, ...(turns === undefined ? {} : { turnTexts: texts }) }
}
