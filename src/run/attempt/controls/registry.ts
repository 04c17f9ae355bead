import type { Control } from './control.ts'

interface ControlEntry {
  /** One line for --help. */
  readonly summary: string
  readonly load: () => Promise<Control>
}

/** Controls of the rag setting; what is left to choose from gold is chosen here and handed to the setting as plain chunks. */
export const controls = {
  oracle: {
    summary: 'chunks that hold the evidence of the gold cells',
    load: async () => (await import('./oracle.ts')).evidenceFirst,
  },
  random: {
    summary: 'chunks drawn at random',
    load: async () => (await import('./random.ts')).atRandom,
  },
} as const satisfies Record<string, ControlEntry>

export type ControlName = keyof typeof controls
