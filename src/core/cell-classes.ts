/**
 * The classes of gold items, in the order in which the loss ledger tests them (docs/scoring.md). Every gold item of a
 * scored attempt has exactly one, or null before the classes are computed. `wrong` is also the class of partial credit.
 */
export const cellClasses = [
  'correct',
  'budget',
  'unreadable',
  'gold-blank',
  'invented',
  'look-alike',
  'not-surfaced',
  'not-opened',
  'not-parsed',
  'not-retrieved',
  'cut-output',
  'not-in-view',
  'unread',
  'cut-from-window',
  'wrong',
  'missed-row',
  'no-evidence',
  'not-in-answer',
] as const
export type CellClass = (typeof cellClasses)[number]
