import { pageReaders } from '../../../tools/page/registry.ts'
import { searchServices } from '../../../tools/search/registry.ts'
import { parseAllowedHost } from '../../../tools/web/allowed-hosts.ts'
import { optionOf } from '../../core/option-spec.ts'
import {
  atMost,
  blockRules,
  entryOf,
  oneOf,
  optional,
  text,
  textsOrNone,
  webMode,
} from '../../core/option-values.ts'

const option = optionOf('web')

const allowedHosts = textsOrNone.transform(given => {
  for (const one of given) parseAllowedHost(one)
  return given
})

/** Where search and fetch go. */
export const webOptions = {
  web: option('MODE', webMode.default('live'), 'live, sealed (made of --docs), sealed:CORPUS, replay:DIR'),
  twins: option('N', atMost(100).default(1), 'sealed: look-alikes of each document with altered figures'),
  record: option('DIR', optional(text), 'keep every request and its answer there'),
  replay: option(
    'HOW',
    oneOf(['strict', 'auto']).default('strict'),
    'what a recording lacks is a miss (strict), or fetched and kept (auto)',
  ),
  onReplayMiss: option(
    'HOW',
    oneOf(['observe', 'end']).default('observe'),
    'the agent is told of a miss, or the attempt ends: observe, end',
  ),
  faults: option(
    'PROFILE',
    optional(text),
    'make the web fail: rate-limited, flaky, slow, anti-bot, stale, or a JSON file',
  ),
  block: option(
    'RULES',
    blockRules.default([]),
    "not to be opened, besides what publishes the benchmark's answers: HOST, HOST/PATH or *TEXT*, by commas",
  ),
  allowHost: option(
    'HOST[:PORT]',
    allowedHosts,
    'live: pages of this host are fetched although it is not public, such as an intranet; may be given several times',
    { repeats: true },
  ),
  pageReader: option(
    'NAME',
    entryOf(pageReaders).default('own'),
    `makes text of pages: ${pageReaders.names().join(', ')}`,
  ),
  search: option('NAME', entryOf(searchServices).default('serper'), searchServices.names().join(', ')),
  browser: option('PATH', optional(text), "a Chromium for pages that need JavaScript, or 'off'"),
} as const
