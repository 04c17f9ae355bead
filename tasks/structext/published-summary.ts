import { z } from 'zod/v4'
import { computePublishedRougeL } from './published-rouge-l.ts'

/** The lines of a result file of StrucText-Eval's published code. `a` is the gold, `r` the response. */
export const resultLinesSchema = z.array(
  z.object({
    index: z.number(),
    a: z.string(),
    r: z.string(),
    info: z.object({
      type: z.string(),
      task: z.string(),
      depth: z.number(),
      width: z.number(),
      few_shot_num: z.number(),
      rule_hint: z.boolean(),
    }),
  }),
)

/** A line of a result file. Several lines may have the same index. The response `<JUMP>` is a failed call. */
export type ResultLine = z.infer<typeof resultLinesSchema>[number]

/** Mean and population standard deviation of a group. Both are null for a group without a value. */
interface GroupValue {
  readonly mean: number | null
  readonly std: number | null
}

type SummaryGroups = Readonly<Record<string, Readonly<Record<string, GroupValue>>>>

/** The published summary: groups of the prompts without a hint, and the same groups of those with one. */
type PublishedSummary = SummaryGroups & {
  readonly Overall: GroupValue
  readonly RuleHint: SummaryGroups & { readonly Overall: GroupValue }
}

const facets: Readonly<Record<string, (info: ResultLine['info']) => string>> = {
  Language: info => info.type,
  Task: info => info.task,
  FewShotNum: info => String(info.few_shot_num),
  Depth: info => String(info.depth),
  Width: info => String(info.width),
}

interface LineValue {
  readonly info: ResultLine['info']
  readonly value: number
}

/**
 * Computes the summary that StrucText-Eval's code writes for the result file of one model. It has the groups that have a
 * value without a hint. A group that only prompts with a hint have is missing, as in the published summary.
 */
export function makePublishedSummary(lines: readonly ResultLine[]): PublishedSummary {
  const values = scoreLines(lines)
  const [plain, hinted] = [false, true].map(hint => values.filter(({ info }) => info.rule_hint === hint))
  const groupsOf = (members: readonly LineValue[]): object => ({
    ...Object.fromEntries(
      Object.entries(facets).map(([name, groupOf]) => [
        name,
        Object.fromEntries(
          listNames(plain!, groupOf).map(key => [
            key,
            groupValue(members.filter(({ info }) => groupOf(info) === key)),
          ]),
        ),
      ]),
    ),
    Overall: groupValue(members),
  })
  return { ...groupsOf(plain!), RuleHint: groupsOf(hinted!) } as PublishedSummary
}

function listNames(values: readonly LineValue[], groupOf: (info: ResultLine['info']) => string): string[] {
  return [...new Set(values.map(({ info }) => groupOf(info)))]
}

/**
 * Scores each index. A response on which the published ROUGE-L raises an exception has no value. A failed call has the
 * value 0 when no other line of its index has a value.
 */
function scoreLines(lines: readonly ResultLine[]): LineValue[] {
  const answered = new Map<number, LineValue>()
  const failed = new Map<number, LineValue>()
  for (const { index, a, r, info } of lines) {
    if (r === '<JUMP>') failed.set(index, { info, value: 0 })
    else {
      const rouge = computePublishedRougeL(a, r)
      if (typeof rouge !== 'string') answered.set(index, { info, value: rouge.thresholded })
    }
  }
  const unanswered = [...failed].filter(([index]) => !answered.has(index))
  return [...answered.values(), ...unanswered.map(([, value]) => value)]
}

function groupValue(values: readonly LineValue[]): GroupValue {
  if (values.length === 0) return { mean: null, std: null }
  const mean = values.reduce((sum, { value }) => sum + value, 0) / values.length
  const squares = values.reduce((sum, { value }) => sum + (value - mean) ** 2, 0)
  return { mean, std: Math.sqrt(squares / values.length) }
}
