import type { z } from 'zod/v4'
import type { TextGold } from '../../src/core/gold.ts'
import { readText } from '../../src/score/answer/read-text.ts'
import {
  clipRecordedText,
  type NotScored,
  type Scored,
  type ScoringInput,
} from '../../src/score/contract/scorer.ts'
import { explainEarlyEnd } from '../../src/score/explain/explain-ending.ts'
import { explainText } from '../../src/score/explain/explain-text.ts'
import { quoteValue } from '../../src/score/explain/wording.ts'
import { createTally } from '../../src/score/judge/tally.ts'
import { splitThinking } from '../../src/text/thinking.ts'
import type { browseCompGoldSchema } from './gold-settings.ts'

/** What the judge says of an answer. */
interface JudgeVerdict {
  readonly isCorrect: boolean
  /** 0 to 1; null when the reply contains none. */
  readonly confidence: number | null
}

/** The texts that the judge compares. */
interface JudgedAnswer {
  readonly question: string
  readonly reference: string
  readonly response: string
}

/** The prompt of the judge, in our words. Its reply has the lines that the published code reads. */
const writeVerdictPrompt = ({ question, reference, response }: JudgedAnswer): string =>
  `Decide whether a response gives the right answer to a question. The reference is the right answer.
<question>
${question}
</question>
<reference>
${reference}
</reference>
<response>
${response}
</response>

Take the final answer of the response. If it gives several final answers or none, it is wrong.
It is right when it means the same as the reference. Other wording is fine, and so are further details that are true. Numbers may differ slightly, as by rounding. An answer that is vague, contradicts the reference or differs from it is wrong.
Do not solve the question yourself.

Reply in exactly this form:
reasoning: one or two sentences that compare the final answer with the reference
correct: yes or no
confidence: the confidence that the response states for its answer, as a number from 0 to 100; 100 if it states none`

/**
 * Reads a verdict as the published code does: the first `correct: yes` or `no`, and the first `confidence: N`, at most 100. Bold
 * labels come first. Returns null when there is no yes or no.
 */
export function readVerdict(reply: string): JudgeVerdict | null {
  const correct = readLabelled(reply, 'correct', 'yes|no')
  if (correct === null) return null
  const confidence = readLabelled(reply, 'confidence', String.raw`\d+(?:\.\d+)?`)
  return {
    isCorrect: correct.toLowerCase() === 'yes',
    confidence: confidence === null ? null : Math.min(100, Number(confidence)) / 100,
  }
}

function readLabelled(reply: string, label: string, value: string): string | null {
  const forms = [String.raw`\*\*${label}:\*\*`, String.raw`\*\*${label}\*\*:`, `${label}:`]
  for (const form of forms) {
    const match = new RegExp(String.raw`${form}\s*(${value})`, 'i').exec(reply)?.[1]
    if (match !== undefined) return match
  }
  return null
}

/** The length of replies. The reply has a sentence or two and two short lines. */
const maxOutputTokens = 1000

/**
 * Scores an answer by the verdict of a judge model. An empty answer is wrong without a call. The attempt stays unscored when
 * the judge fails.
 */
export async function scoreBrowseCompAnswer(input: ScoringInput<TextGold>): Promise<Scored | NotScored> {
  const { answerText, question, gold, judge } = input
  const reading = readText(answerText ?? '')
  const tally = createTally()
  if (reading.status !== 'text')
    return makeScored(input, { verdict: null, response: null, note: reading.note }, tally.usage())
  if (judge.kind !== 'model') return { status: 'unscored', answered: true, judgeUsage: tally.usage() }
  // Not `reading.text`: the confidence may follow the answer's tags.
  const response = splitThinking(answerText ?? '').text.trim()
  let isUnreadable = false
  const verdict = await tally.ask(judge, {
    prompt: writeVerdictPrompt({ question: question.query, reference: gold.references[0] ?? '', response }),
    maxOutputTokens,
    parse(reply) {
      const reading = readVerdict(reply)
      isUnreadable ||= reading === null
      return reading
    },
  })
  if (verdict !== null) return makeScored(input, { verdict, response, note: null }, tally.usage())
  const counts = { unreadableVerdicts: Number(isUnreadable) }
  return { status: 'unscored', answered: true, judgeUsage: tally.usage(), counts }
}

interface Outcome {
  /** Null when there was nothing to judge. */
  readonly verdict: JudgeVerdict | null
  readonly response: string | null
  /** Why there was nothing to judge; null when there was an answer. */
  readonly note: string | null
}

function makeScored(
  { gold, answerText, configuration, termination }: ScoringInput<TextGold>,
  { verdict, response, note }: Outcome,
  judgeUsage: Scored['judgeUsage'],
): Scored {
  const { isEncrypted } = configuration as z.infer<typeof browseCompGoldSchema>
  const score = Number(verdict?.isCorrect === true)
  const item = {
    id: '0',
    index: 0,
    score,
    rule: verdict === null ? 'no-answer' : 'judge',
    class: null,
    gold: isEncrypted ? '[redacted]' : clipRecordedText(gold.references[0] ?? ''),
    predicted: response === null ? null : clipRecordedText(readExactAnswer(response)),
  }
  const isCompleted = verdict !== null && termination.cause === 'agent' && termination.reason === 'answered'
  return {
    status: 'scored',
    answered: verdict !== null,
    metrics: { browseCompAccuracy: score, browseCompConfidence: verdict?.confidence ?? null },
    items: [item],
    explanation:
      verdict === null
        ? explainText({ items: [item], isList: false, note: answerText === null ? null : note, termination })
        : [...explainEarlyEnd(termination), describeVerdict(item.predicted ?? '', verdict)],
    counts: { goldItems: 1, completedAnswers: Number(isCompleted) },
    judgeUsage,
  }
}

function describeVerdict(answer: string, { isCorrect, confidence }: JudgeVerdict): string {
  const claim = confidence === null ? '' : ` Its stated confidence is ${Math.round(confidence * 100)}%.`
  return `The judge says that the answer ${quoteValue(answer)} is ${isCorrect ? 'right' : 'wrong'}.${claim}`
}

/** Returns the text of the last line `Exact Answer:`; the whole response when there is none. */
function readExactAnswer(response: string): string {
  const lines = [...response.matchAll(/^[\s*_#-]*exact answer[*_]*\s*:[*_]*\s*(.+?)[\s*_]*$/gim)]
  return lines.at(-1)?.[1] ?? response
}
