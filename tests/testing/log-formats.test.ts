import { join } from 'node:path'
import { packageRoot } from '../../src/system/paths.ts'
import { testEveryEntry } from './every-entry.ts'

const logs = (...names: string[]) => ({
  files: names.map(name => join(packageRoot, 'tests', 'logs', 'import', 'fixtures', name)),
})

testEveryEntry('logFormats', {
  tongyi: logs('tongyi.jsonl'),
  'browsecomp-plus': logs('browsecomp-completed.json', 'browsecomp-others.jsonl'),
  inspect: logs('inspect.json'),
  smolagents: logs('smolagents.jsonl'),
  generic: logs('generic.jsonl'),
})
