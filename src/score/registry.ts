import { aoeProfile } from './aoe/profile.ts'
import { paperProfile } from './paper/profile.ts'
import type { Profile } from './profile.ts'
import { strictProfile } from './strict/profile.ts'

/** How a table is scored, by name. */
export const profiles = {
  aoe: aoeProfile,
  paper: paperProfile,
  strict: strictProfile,
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof profiles
