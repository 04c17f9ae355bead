import type { Bench } from './figure.ts'
import { firstCall } from './first-call.ts'
import { fixedCorpus } from './fixed-corpus.ts'
import { gateway } from './gateway.ts'
import { growth } from './growth.ts'
import { help } from './help.ts'
import { madeTasks } from './made-tasks.ts'
import { manyAtOnce } from './many-at-once.ts'
import { memory } from './memory.ts'
import { overhead } from './overhead.ts'
import { pdf } from './pdf.ts'
import { reading } from './reading.ts'
import { report } from './report.ts'
import { retrieval } from './retrieval.ts'
import { scorer } from './scorer.ts'
import { sealedSearch } from './sealed-search.ts'

/** Every bench by its name. A new bench is one file and one line here. */
export const benches = {
  help,
  'first-call': firstCall,
  overhead,
  memory,
  scorer,
  pdf,
  reading,
  retrieval,
  'sealed-search': sealedSearch,
  'fixed-corpus': fixedCorpus,
  gateway,
  report,
  'made-tasks': madeTasks,
  'many-at-once': manyAtOnce,
  growth,
} as const satisfies Record<string, Bench>
