import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { budgetKinds } from '../../core/budget.ts'
import { cellClasses } from '../../core/cell-classes.ts'
import { DataError } from '../../core/errors.ts'
import { forkedItemSchema, interventionSchema } from '../../core/fork.ts'
import { attemptIdSchema } from '../../core/inner-path.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { parseJsonOrNull } from '../../text/json.ts'

/** What a fork changes from a step on. */
const liveChange = {
  /** The first model turn that is asked live. */
  atStep: z.int().min(1),
  /** The text of a tool result or of a message; null for other interventions. */
  text: z.string().nullable(),
  /** Budgets from the step on, in place of those of the source. */
  caps: z.partialRecord(z.enum(budgetKinds), z.number()),
  /** Options of the setting from the step on, such as `contextPolicy`. */
  values: z.record(z.string(), z.unknown()),
  intervention: interventionSchema,
  /** The documents to give, with lines that their passages contain. */
  documents: z.array(z.object({ name: z.string(), url: z.string().nullable(), lines: z.array(z.string()) })),
}

const plannedForkSchema = z.object({
  ...liveChange,
  /** The changes of the forks that the source continues, which are repeated with it. */
  earlier: z.array(z.object(liveChange)),
  /** The id of the source attempt, whose trace is beside the plan. */
  attemptId: attemptIdSchema,
  /** The id of the attempt that began at the question: that of the source, unless the source is a fork itself. */
  rootId: z.string(),
  taskId: z.string(),
  traceSha256: z.string(),
  /** The number of the repetition, from 0. */
  repeat: z.int().min(0),
  seed: z.int(),
  /** The replayed call whose result is changed; null for the next one. */
  callId: z.string().nullable(),
  /** The model from the step on; null for that of the source. */
  model: z.string().nullable(),
  lossClass: z.enum(cellClasses).optional(),
  items: z.array(forkedItemSchema).optional(),
})

const forkPlanSchema = z.object({
  /** The id of the source run. */
  run: z.string(),
  /** Whether the sources are imported logs, which no arm of this run made. */
  isImported: z.boolean(),
  /** The search services of the source run, by which its arms are named; null for imported logs. */
  search: z.array(z.string()).nullable(),
  forks: z.array(plannedForkSchema),
  /** What the whole source run lost, by loss class, in items. Absent unless `causes` made the plan. */
  lost: z.record(z.string(), z.number()).optional(),
})
/** The forks of a run, as its folder `forks` contains them. */
export type ForkPlan = z.infer<typeof forkPlanSchema>

/** A fork of a plan. */
export type ForkToPlan = ForkPlan['forks'][number]

/** A fork of a planned attempt. */
export interface PlannedFork extends ForkToPlan {
  /** The id of the source run. */
  readonly run: string
  readonly isImported: boolean
}

/** Returns the path of the plan in its folder. */
export function forkPlanPath(folder: string): string {
  return join(folder, 'plan.json')
}

/**
 * Reads a plan of forks.
 *
 * @throws DataError [fork-plan]
 */
export function readForkPlan(folder: string): ForkPlan {
  const path = forkPlanPath(folder)
  const fix = 'Run the command that planned the forks again.'
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new DataError(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code}). ${fix}`, {
      code: 'fork-plan',
      cause,
    })
  }
  const plan = forkPlanSchema.safeParse(parseJsonOrNull(text))
  if (plan.success) return plan.data
  throw new DataError(`${path}: ${describeZodProblem(plan.error, 'the plan')}. ${fix}`, { code: 'fork-plan' })
}
