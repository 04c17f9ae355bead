import { choosePromptLanguage } from '../src/core/language.ts'
import type { Question } from '../src/core/task.ts'
import type { AttemptRun } from './attempt-run.ts'
import { promptWords } from './prompts/words.ts'
import { askModel } from './single-request.ts'
import type { Ended } from './termination.ts'

/** The number of passages rated in one request. */
export const passagesPerRequest = 20

/** Reports that the provider or the budget ended the attempt while passages were being rated. */
export class StoppedWhileRating extends Error {
  override readonly name = 'StoppedWhileRating'
  readonly ended: Ended
  constructor(ended: Ended) {
    super('the attempt ended while passages were being rated')
    this.ended = ended
  }
}

/**
 * Returns a function that lets the model under test rate the relevance of passages, from 0 to 10 each. Passages that it
 * does not rate get 0. Each request is charged like any other.
 *
 * @throws StoppedWhileRating, and the errors of `callModel`
 */
export function modelRelevance(
  run: AttemptRun,
  question: Question,
): (query: string, passages: readonly string[]) => Promise<readonly number[]> {
  return async (query, passages) => {
    const ratings: number[] = []
    for (let start = 0; start < passages.length; start += passagesPerRequest) {
      const batch = passages.slice(start, start + passagesPerRequest)
      run.step++
      const { answer, ended } = await askModel(run, ratingPrompt(question, query, batch))
      if (ended !== null) throw new StoppedWhileRating(ended)
      ratings.push(...readRatings(answer.text, batch.length))
    }
    return ratings
  }
}

function ratingPrompt(question: Question, query: string, passages: readonly string[]) {
  const { ratePassages, headings } = promptWords[choosePromptLanguage(question.language)]
  const numbered = passages.map((text, at) => `<passage number="${at + 1}">\n${text}\n</passage>`)
  return { system: ratePassages, user: `# ${headings.question}\n${query.trim()}\n\n${numbered.join('\n')}\n` }
}

/** Reads ratings such as `3: 7`, `[3] 7` or `3. 7/10`, one per line. The first rating of a passage counts. */
export function readRatings(text: string, count: number): number[] {
  const ratings = new Map<number, number>()
  for (const [, number, rating] of text.matchAll(
    /^\W*(?:passage\s*)?(\d+)\W+(\d+(?:\.\d+)?)(?:\s*\/\s*10)?\s*$/gim,
  )) {
    const place = Number(number)
    if (place >= 1 && place <= count && !ratings.has(place)) ratings.set(place, Math.min(10, Number(rating)))
  }
  return Array.from({ length: count }, (_, at) => ratings.get(at + 1) ?? 0)
}
