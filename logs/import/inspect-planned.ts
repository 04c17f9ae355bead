import type { InspectHeader } from './inspect-log.ts'

/** Returns the name of a sample in records, `ID#EPOCH`; null when the log reports no id. */
export function sampleName(
  id: string | number | null | undefined,
  epoch: number | null | undefined,
): string | null {
  return id === null || id === undefined ? null : `${id}#${epoch ?? 1}`
}

/**
 * Returns the sample name for a file in an archive (`samples/ID_epoch_EPOCH.json`, or a folder of that name); null
 * for other files.
 */
export function nameOfEntry(entry: string): string | null {
  const [, id, epoch] = /^samples\/(.+)_epoch_(\d+)(?:\.json)?$/.exec(entry) ?? []
  return id === undefined ? null : sampleName(id, Number(epoch))
}

/**
 * Returns the planned samples that are missing from the log, ordered by epoch. A run that was cancelled, killed or
 * stopped by an error may lack some samples. The list is empty when the log does not report the planned samples.
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
