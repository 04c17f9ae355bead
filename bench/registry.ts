import type { Bench } from './figure.ts'
import { fixedCorpus } from './fixed-corpus.ts'
import { growth } from './growth.ts'
import { help } from './help.ts'
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
  overhead,
  memory,
  scorer,
  pdf,
  reading,
  retrieval,
  'sealed-search': sealedSearch,
  'fixed-corpus': fixedCorpus,
  report,
  growth,
} as const satisfies Record<string, Bench>
