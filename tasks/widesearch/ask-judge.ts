import type { Judge } from '../../src/score/contract/judge.ts'
import type { JudgeTally } from '../../src/score/judge/tally.ts'
import { normaliseKey, normaliseText } from '../../src/score/text/normalise.ts'
import { findMeaningRule } from '../../src/score/text/same-meaning.ts'
import { type AskJudge, type JudgeCall, readReply, writePrompt } from './judge-calls.ts'

/** A judge model did not reply, although it was asked again. */
export class JudgeFailure extends Error {}

/** Options of `createJudgeAsker`. */
interface AskerOptions {
  /** Ask again for a reply without a readable JSON fence or without all grades. The published code does not. */
  readonly needsReadableReply: boolean
}

/**
 * Creates the function that asks a judge. Judge `none` never replies. Judge `rules` matches names and keys after
 * normalisation and grades by fixed rules.
 *
 * @throws JudgeFailure from the returned function, when a judge model fails
 */
export function createJudgeAsker(
  judge: Judge,
  tally: JudgeTally,
  { needsReadableReply }: AskerOptions,
): AskJudge {
  if (judge.kind === 'none') return async () => null
  if (judge.kind === 'rules') return async call => writeFenced(answerByRules(call))
  return async call => {
    const reply = await tally.ask(judge, {
      prompt: writePrompt(call),
      maxOutputTokens: 16_000,
      parse: text => (needsReadableReply && !isReadable(call, text) ? null : text),
    })
    if (reply === null) throw new JudgeFailure(`the judge did not answer for '${call.of}'`)
    return reply
  }
}

/** Whether a reply is a JSON object and, for grades, contains one for each pair. A missing grade would count as 0. */
function isReadable(call: JudgeCall, text: string): boolean {
  const reply = readReply(text)
  if (reply === null || call.call === 'align') return reply !== null
  return call.pairs.every((_, index) => [0, 1, false, true].includes(reply[`idx_${index}`] as number))
}

const writeFenced = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``

function answerByRules(call: JudgeCall): Record<string, string | number> {
  if (call.call === 'grade') {
    return Object.fromEntries(
      call.pairs.map(([response, target], i) => [
        `idx_${i}`,
        Number(isSameByRules(target, response, call.of)),
      ]),
    )
  }
  const byForm = new Map(call.reference.map(text => [normaliseKey(text, false), text]))
  return Object.fromEntries(
    call.given.flatMap(text => {
      const match = call.reference.includes(text) ? text : byForm.get(normaliseKey(text, false))
      return match === undefined ? [] : [[text, match]]
    }),
  )
}

function isSameByRules(target: string, response: string, column: string): boolean {
  // A Markdown table has no line breaks in cells, so answers write <br> where the gold has one.
  const form = (text: string): string => normaliseText(text.replace(/<br\s*\/?>/gi, ' ')).replace(/\s/g, '')
  return form(response) === form(target) || findMeaningRule(target, response, column) !== null
}
