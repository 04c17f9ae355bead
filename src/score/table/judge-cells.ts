import { groupBy } from '../../core/group-by.ts'
import { type Judge, type ModelJudge, usesPublishedPrompts } from '../contract/judge.ts'
import { writeCellBatchPrompt, writeCellPrompt } from '../judge/prompts.ts'
import { publishedOutputTokens } from '../judge/published-prompts.ts'
import { readPublishedScore, readScore, readScores } from '../judge/read-reply.ts'
import type { JudgeTally } from '../judge/tally.ts'
import { type CellRating, makeRating, ratings } from './rating.ts'

/** A cell that the rules did not decide. */
export interface OpenCell {
  readonly column: string
  readonly gold: string
  readonly predicted: string
}

const batchSize = 20

/**
 * Rates cells that the rules did not decide, in order. Without a judge model they score 0. A cell on which the judge
 * fails has score null.
 */
export async function judgeCells(
  judge: Judge,
  cells: readonly OpenCell[],
  tally: JudgeTally,
  allowBatch: boolean,
): Promise<CellRating[]> {
  if (judge.kind !== 'model') return cells.map(() => ratings.different)
  if (!judge.batch || !allowBatch || usesPublishedPrompts(judge))
    return await Promise.all(cells.map(cell => judgeCell(judge, cell, tally)))
  const results = new Array<CellRating>(cells.length)
  await Promise.all(
    divideIntoBatches(cells).map(async batch => {
      const scores = await judgeBatch(
        judge,
        batch.map(i => cells[i]!),
        tally,
      )
      for (const [place, i] of batch.entries()) results[i] = scores[place]!
    }),
  )
  return results
}

async function judgeCell(judge: ModelJudge, cell: OpenCell, tally: JudgeTally): Promise<CellRating> {
  const { column, gold, predicted } = cell
  const { published } = judge
  const score = await tally.ask(
    judge,
    published === undefined
      ? { prompt: writeCellPrompt(column, gold, predicted), maxOutputTokens: 200, parse: readScore }
      : {
          prompt: published.cell(column, gold, predicted),
          maxOutputTokens: publishedOutputTokens.cell,
          parse: readPublishedScore,
        },
  )
  return score === null ? ratings.judgeFailed : makeRating(score, 'judge')
}

/** Asks for several cells in one call. If no reply is in the required form, asks again cell by cell. */
async function judgeBatch(
  judge: ModelJudge,
  cells: readonly OpenCell[],
  tally: JudgeTally,
): Promise<CellRating[]> {
  if (cells.length > 1) {
    const scores = await tally.ask(judge, {
      prompt: writeCellBatchPrompt(cells[0]!.column, cells),
      maxOutputTokens: 40 * cells.length + 100,
      parse: text => readScores(text, cells.length),
    })
    if (scores !== null) return scores.map(score => makeRating(score, 'judge'))
  }
  return await Promise.all(cells.map(cell => judgeCell(judge, cell, tally)))
}

/** Groups the positions of the cells by column and batch size. */
function divideIntoBatches(cells: readonly OpenCell[]): number[][] {
  return [...groupBy(cells.keys(), place => cells[place]!.column).values()].flatMap(group =>
    Array.from({ length: Math.ceil(group.length / batchSize) }, (_, n) =>
      group.slice(n * batchSize, (n + 1) * batchSize),
    ),
  )
}
