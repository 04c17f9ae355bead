import {
  cutPassage,
  excerptSize,
  type GivenDocument,
  giveDocuments,
  passageSize,
  replaceResult,
} from '../../../agents/fork/given-documents.ts'
import { readPrefix, sumReplayed } from '../../../agents/fork/recorded-prefix.ts'
import { type ForkedEnvironment, forkEnvironment } from '../../../agents/fork/replay.ts'
import type { ResultChange } from '../../../agents/fork/replayed-tools.ts'
import type { Setting, SettingEnvironment } from '../../../agents/setting.ts'
import { type BlobReader, createBlobStore } from '../../../logs/blobs.ts'
import type { TraceEvent } from '../../../logs/events.ts'
import { readTrace } from '../../../logs/reader.ts'
import type { RunConfig } from '../../config.ts'
import type { Attempt } from '../../core/attempt.ts'
import { type BudgetCaps, type BudgetKind, runBudgetKinds } from '../../core/budget.ts'
import { subtractUsage, type Usage } from '../../core/usage.ts'
import { withTextChecksum } from '../../system/record-checksum.ts'
import type { RunResources } from '../open-run/open-resources.ts'
import { pickAttemptCaps, runCaps } from '../plan/caps.ts'
import type { ForkToPlan, PlannedFork } from '../plan/fork-plan.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import type { AttemptWatch } from './watch.ts'

/** The parts of an attempt to make that a fork needs. */
interface ForkToMake {
  readonly planned: PlannedAttempt
  readonly setting: Setting
  readonly options: RunConfig
  readonly resources: RunResources
}

/** A fork that is being made: the setting that makes it, and its part of the record. */
export interface ForkInProgress {
  readonly setting: Setting
  /** The field of the record; empty for an attempt that is no fork, or that failed before it was forked. */
  record(): Partial<Attempt>
}

/** Returns the setting of an attempt, which continues another attempt when it is a fork. */
export function forkSetting(toMake: ForkToMake, watch: AttemptWatch): ForkInProgress {
  const { setting, planned } = toMake
  const { fork } = planned
  if (fork === undefined) return { setting, record: () => ({}) }
  let record: Partial<Attempt> = {}
  return {
    setting: {
      ...setting,
      async run(question, environment) {
        const opened = await openFork(fork, environment, { toMake, watch })
        const outcome = opened.conclude(await setting.run(question, opened.environment))
        record = { fork: describeFork(fork, opened) }
        return { ...outcome, usage: subtractUsage(outcome.usage, opened.replayed) }
      },
    },
    record: () => record,
  }
}

interface OpenedFork extends ForkedEnvironment {
  readonly replayed: Usage
}

function describeFork(fork: PlannedFork, { replayed, tookEffect }: OpenedFork): Attempt['fork'] {
  const { run, attemptId, traceSha256, atStep, intervention, lossClass, items } = fork
  const canMiss = ['give', 'tool-result', 'prompt-note'].includes(intervention.kind)
  return {
    run,
    attemptId,
    traceSha256,
    atStep,
    intervention,
    ...(lossClass === undefined ? {} : { lossClass }),
    ...(items === undefined ? {} : { items }),
    ...(canMiss ? { tookEffect: tookEffect() } : {}),
    replayed,
  }
}

async function openFork(
  fork: PlannedFork,
  environment: SettingEnvironment,
  { toMake, watch }: { readonly toMake: ForkToMake; readonly watch: AttemptWatch },
): Promise<OpenedFork> {
  const folder = toMake.options.forks!
  const blobs = createBlobStore({ folder })
  const { events } = await readTrace(folder, fork.attemptId)
  const prefix = readPrefix(events, fork.atStep, fork.attemptId)
  keepPrefix(fork, prefix.events, blobs, environment)
  const capped = Object.entries(environment.caps).filter(([kind]) => kind in runCaps(toMake.options))
  const share: BudgetCaps = Object.fromEntries(capped)
  const sourceCaps = pickAttemptCaps(toMake.options, toMake.planned.setting)
  const cap = fork.caps.wallMs ?? sourceCaps.wallMs
  // The timers of an attempt start once, and do not count the replay.
  const wallMs = cap === undefined ? {} : { wallMs: Math.max(1_000, cap - prefix.wallMs) }
  // The call at the step is then the last one that the budget covers, and our loop demands the answer.
  const last = fork.intervention.kind === 'answer-now' ? { modelCalls: prefix.requests.length + 1 } : {}
  const charged: Partial<Record<BudgetKind, number>> = {}
  const forked = forkEnvironment(
    { ...environment, caps: { ...sourceCaps, ...wallMs } },
    {
      prefix,
      blobs,
      options: fork.values,
      results: await changeResults(fork, toMake),
      caps: () => ({ ...keepWithin({ ...sourceCaps, ...fork.caps }, share, charged), ...wallMs, ...last }),
      note: readNote(fork),
      earlier: fork.earlier.map(change => ({
        atStep: change.atStep,
        caps: { ...sourceCaps, ...change.caps },
        options: change.values,
        note: readNote(change),
      })),
      replayed(step, event) {
        watch.replayed(step, event)
        if (event.type === 'budget-charged') charged[event.kind] = event.total
      },
      isForeign: fork.isImported,
    },
  )
  const { price } = environment.model
  const { searchUsd, fetchUsd } = environment.webPrices ?? { searchUsd: null, fetchUsd: 0 }
  return { ...forked, replayed: sumReplayed(prefix, { price, searchUsd, fetchUsd }) }
}

/** Stores the recorded part of a fork with its texts, and names it in the trace. */
function keepPrefix(
  { attemptId: source, atStep }: PlannedFork,
  events: readonly TraceEvent[],
  blobs: BlobReader,
  environment: SettingEnvironment,
): void {
  for (const event of events)
    if (event.type === 'tool-answered' || event.type === 'tool-failed')
      for (const observation of event.observations ?? [])
        if (observation.kind === 'body' && observation.textSha256 !== null)
          environment.keepText(blobs.get(observation.textSha256))
  const lines = events.map(event => withTextChecksum(JSON.stringify(event)))
  const prefix = environment.keepText(lines.join('\n'))
  environment.emit(0, { type: 'forked', source, atStep, prefix })
}

function readNote({ intervention, text }: ForkToPlan['earlier'][number]): string | null {
  return intervention.kind === 'prompt-note' ? text : null
}

/** Keeps caps within a share of the run's budget, to which is added what the replay charged: nobody pays that. */
function keepWithin(caps: BudgetCaps, share: BudgetCaps, charged: BudgetCaps): BudgetCaps {
  const limits = runBudgetKinds.flatMap(kind =>
    share[kind] === undefined
      ? []
      : [[kind, Math.min(caps[kind] ?? Number.POSITIVE_INFINITY, share[kind] + (charged[kind] ?? 0))]],
  )
  return { ...caps, ...Object.fromEntries(limits) }
}

/** Returns the change of tool results that a fork makes; null for none. Documents that earlier forks gave still open. */
async function changeResults(fork: PlannedFork, toMake: ForkToMake): Promise<ResultChange | null> {
  const { intervention, callId, documents, text, earlier } = fork
  const before = await readGivenDocuments(
    earlier.flatMap(change => change.documents),
    toMake,
  )
  const { answer } = giveDocuments(before, null)
  if (intervention.kind === 'tool-result') return { ...replaceResult(text ?? '', callId), answer }
  if (intervention.kind !== 'give') return before.length === 0 ? null : { callId, change: () => null, answer }
  const addedDocuments = await readGivenDocuments(documents, toMake)
  return {
    ...giveDocuments(addedDocuments, callId),
    answer: giveDocuments([...addedDocuments, ...before], null).answer,
  }
}

async function readGivenDocuments(
  documents: PlannedFork['documents'],
  { planned, resources }: ForkToMake,
): Promise<GivenDocument[]> {
  if (documents.length === 0) return []
  const taskDocuments = await resources.documents(planned.task)
  return documents.map(({ name, url, lines }) => {
    const whole = taskDocuments.find(({ hint }) => hint === name)?.text ?? ''
    if (whole === '') throw new Error(`document ${name} has no text, so that it cannot be given`)
    return {
      url: url ?? findAddress(name, resources),
      title: name,
      passage: cutPassage(whole, lines, passageSize),
      excerpt: cutPassage(whole, lines, excerptSize),
      text: whole,
    }
  })
}

/** The address of a document on the web of the run. Any other web answers given addresses from the fork alone. */
function findAddress(name: string, { web }: RunResources): string {
  const entry = web?.entries?.find(({ hint, twinOf }) => hint === name && twinOf === null)
  return entry?.url ?? `https://documents.invalid/${encodeURIComponent(name)}`
}
