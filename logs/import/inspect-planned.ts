import type { InspectHeader } from './inspect-log.ts'

/** A sample's name in records, `ID#EPOCH`; null where the log gives it no id. */
export function sampleName(
  id: string | number | null | undefined,
  epoch: number | null | undefined,
): string | null {
  return id === null || id === undefined ? null : `${id}#${epoch ?? 1}`
}

/** The name of a sample by its file in an archive, `samples/ID_epoch_EPOCH.json` or a folder of that name; null for others. */
export function nameOfEntry(entry: string): string | null {
  const [, id, epoch] = /^samples\/(.+)_epoch_(\d+)(?:\.json)?$/.exec(entry) ?? []
  return id === undefined ? null : sampleName(id, Number(epoch))
}

/**
 * Samples that were to be run and that the log lacks, epoch by epoch: a run that was cancelled, killed or ended by an
 * error may leave out those that were under way or waiting. None where the log does not say what was to be run.
 */
export function missingSamples(
  { eval: { dataset, config } }: InspectHeader,
  held: ReadonlySet<string>,
): string[] {
  const ids = dataset?.sample_ids ?? []
  const epochs = Array.from({ length: config?.epochs ?? 1 }, (_, index) => index + 1)
  const planned = epochs.flatMap(epoch => ids.flatMap(id => sampleName(id, epoch) ?? []))
  return planned.filter(name => !held.has(name))
}
