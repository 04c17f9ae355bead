import { makeNotScored, makeScored, type TextMetric } from './metric.ts'

/** StrucText-Eval's judge: 1 when a judge model says that the answer means the same as the reference, else 0. */
export const judgeAccuracy: TextMetric = {
  async score({ question, reference, prediction, judge }) {
    if (judge.kind !== 'model') return makeNotScored('needs a judge model')
    const outcome = await judge.ask({
      prompt: writePrompt(question, reference, prediction),
      maxOutputTokens: 300,
      parse: readVerdict,
    })
    return outcome.value === null
      ? makeNotScored(outcome.failure ?? 'the judge failed')
      : makeScored(outcome.value)
  },
}

const writePrompt = (question: string, reference: string, prediction: string): string =>
  `Judge whether a response answers a question as the reference answer does. What counts is the meaning; explanations around it and another layout do not matter, a different or missing result does.
<question>
${question}
</question>
<reference>
${reference}
</reference>
<response>
${prediction}
</response>

Answer with one line and nothing else: Judge: True or Judge: False`

function readVerdict(text: string): number | null {
  const verdict =
    [...text.matchAll(/judge\s*:\s*(true|false)/gi)].at(-1)?.[1] ??
    /^\s*(true|false)\s*\.?\s*$/i.exec(text)?.[1]
  return verdict === undefined ? null : verdict.toLowerCase() === 'true' ? 1 : 0
}
