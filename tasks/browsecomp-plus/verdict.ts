/** What the judge says of an answer. */
export interface JudgeVerdict {
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
export const verdictPrompt = ({ question, reference, response }: JudgedAnswer): string =>
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
  const correct = labelled(reply, 'correct', 'yes|no')
  if (correct === null) return null
  const confidence = labelled(reply, 'confidence', String.raw`\d+(?:\.\d+)?`)
  return {
    isCorrect: correct.toLowerCase() === 'yes',
    confidence: confidence === null ? null : Math.min(100, Number(confidence)) / 100,
  }
}

function labelled(reply: string, label: string, value: string): string | null {
  const forms = [String.raw`\*\*${label}:\*\*`, String.raw`\*\*${label}\*\*:`, `${label}:`]
  for (const form of forms) {
    const match = new RegExp(String.raw`${form}\s*(${value})`, 'i').exec(reply)?.[1]
    if (match !== undefined) return match
  }
  return null
}
