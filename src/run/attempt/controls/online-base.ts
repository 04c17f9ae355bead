import { settings } from '../../../../agents/registry.ts'
import type { Setting, SettingEnvironment } from '../../../../agents/setting.ts'
import { readTrace } from '../../../../logs/reader.ts'
import { type Attempt, isUnscoredCause } from '../../../core/attempt.ts'
import type { OnlineControl } from '../../../core/controls.ts'
import type { ContextDocument } from '../../../core/document.ts'
import type { EvidenceDocument } from '../../../evidence/matcher.ts'
import type { PlannedAttempt } from '../../plan/plan.ts'
import { readSeenDocuments } from '../../records/seen-documents.ts'
import { type RunSummaries, readSummaries } from '../../records/summaries.ts'
import type { RunResources } from '../../resources/run-resources.ts'
import { transcriptOf } from './transcript.ts'

/** What makes the control of an attempt: offline with documents of its own, or the online conversation continued. */
export function settingOf({ setting, control }: PlannedAttempt): Setting {
  if (control?.name !== 'oracle-inject') return settings.get(setting)
  return {
    summary: 'the online conversation continued',
    source: 'web',
    run: async (question, environment) =>
      (await import('../../../../agents/continue-online.ts')).continueOnline(question, environment),
  }
}

/** Read once: when controls are made, every attempt that they need is recorded. */
const recorded = new WeakMap<RunResources, Promise<RunSummaries>>()

function summariesOf(resources: RunResources): Promise<RunSummaries> {
  const read = recorded.get(resources) ?? readSummaries(resources.folder)
  recorded.set(resources, read)
  return read
}

/** What the online attempt found; an Error where it has no end of its own, so that no control can be made of it. */
async function baseOf({ baseId }: OnlineControl, resources: RunResources): Promise<Attempt> {
  const { attempt } = await (await summariesOf(resources)).wholeOf(baseId)
  const { cause, reason } = attempt.termination
  if (isUnscoredCause(cause))
    throw new Error(`its online attempt ended as ${cause} / ${reason}: nothing can be made of it`)
  if (attempt.discovery === null)
    throw new Error('what its online attempt found is not known: the documents are not at hand')
  return attempt
}

/** The parts of an attempt's environment that its control changes; none without one. */
export function controlledEnvironment(
  planned: PlannedAttempt,
  resources: RunResources,
): Partial<Pick<SettingEnvironment, 'documents' | 'transcript'>> {
  const { control, task } = planned
  if (control === null) return {}
  const documents = async (found: boolean): Promise<ContextDocument[]> => {
    const { discovery } = await baseOf(control, resources)
    const parsed = new Set(
      discovery?.hints.flatMap(hint => (hint.parsedStep === null ? [] : [hint.hint])) ?? [],
    )
    return (await resources.documents(task)).filter(document => parsed.has(document.hint) === found)
  }
  if (control.name === 'found-only') return { documents: () => documents(true) }
  return {
    documents: () => documents(false),
    transcript: async () =>
      transcriptOf((await readTrace(resources.folder, control.baseId)).events, resources.blobs.get),
  }
}

/** What the online attempt had been shown of the task's documents, for the classes of the one that continues it. */
export async function shownBefore(
  control: OnlineControl,
  resources: RunResources,
): Promise<EvidenceDocument[]> {
  const seen = await readSeenDocuments(resources.folder, control.baseId, resources.blobs)
  if ('lack' in seen) throw new Error(seen.lack)
  return [...(seen.shown ?? [])]
}
