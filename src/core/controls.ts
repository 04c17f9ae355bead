/** Controls of the rag setting. Each fills the context with other chunks, with as many tokens as the retriever's chunks. */
export const ragControls = {
  oracle: { summary: 'chunks that contain the evidence of the gold', needsEvidence: true },
  random: { summary: 'chunks drawn at random', needsEvidence: false },
} as const

export type RagControlName = keyof typeof ragControls

/** Controls of the online setting. Each needs what an online attempt found, so it runs after that attempt. */
export const onlineControls = {
  'found-only': { summary: 'offline, on the documents that the online attempt opened and parsed' },
  'oracle-inject': { summary: 'the online conversation continued with the documents that it missed' },
} as const

export type OnlineControlName = keyof typeof onlineControls

/** Whether a control is one of the online setting. */
export function isOnlineControl(name: string): name is OnlineControlName {
  return Object.hasOwn(onlineControls, name)
}

/** A control and the online attempt that it belongs to. */
export interface OnlineControl {
  readonly name: OnlineControlName
  /** The id of the online attempt. */
  readonly baseId: string
}
