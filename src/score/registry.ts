import { Registry } from '../core/registry.ts'
import type { Profile } from './profile.ts'

/** How a table is scored, by name; a profile's own file is imported when it is first used. */
export const profiles = new Registry<Profile>({
  kind: 'scorer',
  builtIn: {
    aoe: {
      summary: "AOE's published scorer: key match or similarity of 90, numbers within 1e-5, texts equal",
      compare: async input => await (await import('./aoe/profile.ts')).compareAsPublished(input),
    },
    paper: {
      summary:
        "the AOE paper's scorer: columns aligned, keys matched among the free ones, cells rated 0..1 by five rules",
      compare: async input => await (await import('./paper/profile.ts')).compareAsPaper(input),
    },
    strict: {
      summary:
        'ours: rows by optimal assignment; numbers, units, dates by meaning; names the rule of each cell',
      compare: async input => await (await import('./strict/profile.ts')).compareStrictly(input),
    },
  },
})
