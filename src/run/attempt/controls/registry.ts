import type { RagControlName } from '../../../core/controls.ts'
import type { Control } from './control.ts'

interface ControlEntry {
  readonly load: () => Promise<Control>
}

/** The controls of the rag setting. They may use gold; the setting receives plain chunks. */
export const controls: Readonly<Record<RagControlName, ControlEntry>> = {
  oracle: { load: async () => (await import('./oracle.ts')).orderEvidenceFirst },
  random: { load: async () => (await import('./random.ts')).orderRandomly },
}
