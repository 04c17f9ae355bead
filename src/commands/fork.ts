import { type OptionName, parseOptions } from '../config.ts'
import { ConfigError } from '../core/errors.ts'
import { positive, text } from '../core/option-values.ts'
import type { ForkArm } from '../run/fork/plan-forks.ts'
import type { RegisterCommand } from './command.ts'
import { readFlagValue } from './flag-value.ts'
import { createRepeatable } from './repeated-flags.ts'
import { addFlagsNamed } from './run-flags.ts'

/** The options of a run of forks that are not those of its source. */
export const forkRunFlags: readonly OptionName[] = [
  ...(['out', 'tasks', 'docs', 'baseUrl', 'concurrency', 'queue', 'cache', 'dryRun', 'json'] as const),
  ...(['runBudgetTokens', 'runBudgetUsd', 'runBudgetSearchCalls'] as const),
]
const budgetFlags = {
  budgetTokens: 'tokens',
  budgetModelCalls: 'modelCalls',
  budgetSearchCalls: 'searchCalls',
  budgetFetchCalls: 'fetchCalls',
  budgetWall: 'wallMs',
  budgetUsd: 'usd',
} as const satisfies Partial<Record<OptionName, string>>
const changeFlags: readonly OptionName[] = [
  ...(Object.keys(budgetFlags) as (keyof typeof budgetFlags)[]),
  ...(['search', 'web', 'contextPolicy', 'model'] as const),
]

interface ForkFlags {
  readonly at: string
  readonly give?: readonly string[]
  readonly toolResult?: string
  readonly promptNote?: string
  readonly answerNow?: boolean
  readonly repeat?: string
  readonly full?: boolean
}

/** Registers `fork`. */
export const registerFork: RegisterCommand = (command, setExitCode) => {
  command
    .argument('<RUN>', 'the folder of a run, or of imported logs')
    .argument('<ATTEMPT>', 'the id of an attempt, or the beginning of it')
    .requiredOption(
      '--at <STEP>',
      'the step from which the attempt continues; loss: the steps at which it lost its items',
    )
    .addOption(
      createRepeatable(
        '--give <DOCUMENT>',
        'give a document: the first result of the search of the step, or after the page that it opened; missed: those of the lost items',
      ),
    )
    .option('--tool-result <FILE>', 'replace the result of the tool call of the step by the text of a file')
    .option('--prompt-note <TEXT>', 'add a message of the user before the step')
    .option('--answer-now', 'demand the answer at the step')
    .option('--repeat <N>', 'make N forks of each change, and N without a change', '1')
    .option('--full', 'print all tables')
  addFlagsNamed(command, [...forkRunFlags, ...changeFlags]).action(
    async (folder: string, attempt: string, flags: ForkFlags) =>
      setExitCode(await forkForTerminal(folder, attempt, flags)),
  )
}

async function forkForTerminal(folder: string, name: string, flags: ForkFlags): Promise<number> {
  const { at, give, toolResult, promptNote, answerNow, repeat = '1', full, ...others } = flags
  const options = parseOptions(others)
  const repeats = readFlagValue('--repeat', positive, repeat)
  const { openSource, openSourceAttempt } = await import('../run/fork/source-run.ts')
  const { controlArm, planFacts, planLossForks, planStepForks } = await import('../run/fork/plan-forks.ts')
  const { findLosses, groupByStep } = await import('../run/fork/fork-place.ts')
  const run = await openSource(folder)
  const source = await openSourceAttempt(run, name)
  const changes = await readArms(flags, options, run.manifest.source === 'import')
  const arms = repeats > 1 || changes.length === 0 ? [controlArm, ...changes] : changes
  const planAt = (step: number) => {
    const { missed = [] } = groupByStep(findLosses(source)).find(losses => losses.step === step) ?? {}
    return planStepForks(run, source, { step, arms, repeats, missed })
  }
  const forks =
    at === 'loss'
      ? planLossForks(run, source, { arms, repeats })
      : planAt(readStep(at, source.turns, source.attempt.attemptId))
  const { makeForks } = await import('./make-forks.ts')
  return await makeForks({
    run,
    options: withoutChanges(options, run.manifest.source === 'import'),
    plan: { ...planFacts(run), forks },
    sources: new Map([[source.attempt.attemptId, source]]),
    suffix: 'forks',
    full: full === true,
  })
}

function readStep(text: string, turns: number, attemptId: string): number {
  const step = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0
  if (step >= 1 && step <= turns) return step
  throw new ConfigError(
    `--at: '${text}' is no step of ${attemptId}, which has the steps 1 to ${turns}. Write one of them, or loss.`,
    { code: 'fork-step' },
  )
}

type ForkOptions = Readonly<Record<string, unknown>>

/**
 * Changes of a fork are not options of its run, apart from services and models that the run must open. An imported log has no
 * options, so that the given ones are those of the run.
 */
function withoutChanges(options: ForkOptions, isImported: boolean): ForkOptions {
  if (isImported) return options
  const changes: readonly string[] = ['contextPolicy', ...Object.keys(budgetFlags)]
  return Object.fromEntries(Object.entries(options).filter(([name]) => !changes.includes(name)))
}

/** Returns one arm for each change that the flags name. */
async function readArms(flags: ForkFlags, options: ForkOptions, isImported: boolean): Promise<ForkArm[]> {
  const { give = [], toolResult, promptNote, answerNow } = flags
  const arms: ForkArm[] = give.map(document => ({
    intervention: { kind: 'give', value: document },
    document,
  }))
  if (toolResult !== undefined) {
    const { readTextFile, requireRegularFile, whyUnreadable } = await import('../system/files.ts')
    await requireRegularFile(toolResult)
    const text = await readTextFile(toolResult).catch((cause: unknown) => {
      throw new ConfigError(`--tool-result ${toolResult}: ${whyUnreadable(cause)}. Name a text file.`, {
        code: 'fork-tool-result',
        cause,
      })
    })
    arms.push({ intervention: { kind: 'tool-result', value: null }, text })
  }
  if (promptNote !== undefined) {
    const note = readFlagValue('--prompt-note', text, promptNote)
    arms.push({ intervention: { kind: 'prompt-note', value: note }, text: note })
  }
  if (answerNow === true) arms.push({ intervention: { kind: 'answer-now', value: null } })
  return isImported ? arms : addOptionArms(arms, options)
}

function addOptionArms(arms: ForkArm[], options: ForkOptions): ForkArm[] {
  const caps = Object.entries(budgetFlags).flatMap(([name, kind]) =>
    typeof options[name] === 'number' ? [[kind, options[name]] as const] : [],
  )
  if (caps.length > 0) {
    const value = caps.map(([kind, cap]) => `${kind}=${cap}`).join(' ')
    arms.push({ intervention: { kind: 'budget', value }, caps: Object.fromEntries(caps) })
  }
  for (const policy of listValues(options.contextPolicy))
    arms.push({ intervention: { kind: 'context-policy', value: policy }, values: { contextPolicy: policy } })
  for (const search of listValues(options.search))
    arms.push({ intervention: { kind: 'search', value: search }, values: { search } })
  for (const model of listValues(options.model))
    arms.push({ intervention: { kind: 'model', value: model }, model })
  if (typeof options.web !== 'string') return arms
  if (arms.length > 0)
    throw new ConfigError(
      '--web changes the web of all forks of a run. Give it alone, and the other changes in a run with another --out.',
      { code: 'fork-web' },
    )
  return [{ intervention: { kind: 'web', value: options.web.replace(/:.*$/s, '') } }]
}

const listValues = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
