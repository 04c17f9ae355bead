import type { RagControlName } from '../../../core/controls.ts'
import type { Control } from './control.ts'

interface ControlEntry {
  readonly load: () => Promise<Control>
}

/** Controls of the rag setting; what is left to choose from gold is chosen here and handed to the setting as plain chunks. */
export const controls: Readonly<Record<RagControlName, ControlEntry>> = {
  oracle: { load: async () => (await import('./oracle.ts')).evidenceFirst },
  random: { load: async () => (await import('./random.ts')).atRandom },
}
