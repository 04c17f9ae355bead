/** Controls of the rag setting: each fills the context with other chunks, in as many tokens as the retriever took. */
export const ragControls = {
  oracle: { summary: 'chunks that contain the evidence of the gold', needsEvidence: true },
  random: { summary: 'chunks drawn at random', needsEvidence: false },
} as const

export type RagControlName = keyof typeof ragControls

/** Controls of the online setting: each needs what the online attempt found, and is made when that attempt has ended. */
export const onlineControls = {
  'found-only': { summary: 'offline, on the documents that the online attempt opened and parsed' },
  'oracle-inject': { summary: 'the online conversation continued with the documents that it missed' },
} as const

export type OnlineControlName = keyof typeof onlineControls

/** Whether a control is one of the online setting. */
export function isOnlineControl(name: string): name is OnlineControlName {
  return Object.hasOwn(onlineControls, name)
}

/** Which control an attempt is, and of which online attempt. */
export interface OnlineControl {
  readonly name: OnlineControlName
  readonly baseId: string
}
