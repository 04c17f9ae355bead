import { join } from 'node:path'
import { packageRoot } from '../../src/system/paths.ts'
import { testEveryEntry } from './every-entry.ts'

const logs = (...names: string[]) => ({
  files: names.map(name => join(packageRoot, 'tests', 'logs', 'import', 'fixtures', name)),
})

testEveryEntry('logFormats', {
  tongyi: logs('tongyi.jsonl', 'websailor.jsonl'),
  'browsecomp-plus': logs('browsecomp-completed.json', 'browsecomp-others.jsonl'),
  inspect: logs('inspect.json'),
  atif: logs('atif.json', 'atif-continued.json', 'atif-ends.jsonl'),
  smolagents: logs('smolagents.jsonl'),
  codex: logs(
    'codex.jsonl',
    'codex-overflow.jsonl',
    'codex-killed.jsonl',
    'codex-0.20.jsonl',
    'codex-exec.jsonl',
  ),
  mirothinker: logs('mirothinker.json', 'mirothinker-ends.json'),
  miroflow: logs('task_hotels_attempt_2.json', 'miroflow-ends.json'),
  widesearch: logs('model-w_ws_1_0_response.jsonl'),
  asearcher: logs('asearcher.jsonl'),
  'openai-agents': logs('openai-agents.jsonl', 'openai-agents-mixed.jsonl'),
  webthinker: logs('webthinker.json'),
  'open-deep-research': logs('deep_research_bench_model-d.jsonl'),
  generic: logs('generic.jsonl', 'anthropic-messages.json', 'openai-messages.jsonl'),
})
