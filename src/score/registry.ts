import { aoeProfile } from './aoe/profile.ts'
import type { Profile } from './profile.ts'

/** How a table is scored, by name. */
export const profiles = {
  aoe: aoeProfile,
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof profiles
