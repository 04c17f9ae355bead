import type { ExportTable } from './table.ts'
import { attempts } from './tables/attempts.ts'
import { calls } from './tables/calls.ts'
import { differences } from './tables/differences.ts'
import { documents } from './tables/documents.ts'
import { events } from './tables/events.ts'
import { fetches } from './tables/fetches.ts'
import { items } from './tables/items.ts'
import { scores } from './tables/scores.ts'
import { searches } from './tables/searches.ts'
import { terminations } from './tables/terminations.ts'

/** Every table of an export. */
export const exportTables: readonly ExportTable<unknown>[] = [
  attempts,
  scores,
  items,
  events,
  calls,
  searches,
  fetches,
  terminations,
  differences,
  documents,
]
