import { z } from 'zod/v4'
import { pageReaders } from '../../../tools/page/registry.ts'
import { searchProviders } from '../../../tools/search/registry.ts'
import { optionOf } from '../option-spec.ts'
import { absent, atMost, names, oneOf, text, webMode } from '../values.ts'

const option = optionOf('web')

const rulesByCommas = z
  .string()
  .transform(rules => rules.split(',').flatMap(rule => rule.trim() || []))
  .refine(rules => rules.length > 0, 'names no rule: HOST, HOST/PATH or *TEXT*, by commas')

/** Where search and fetch go. */
export const webOptions = {
  web: option('MODE', webMode.default('live'), 'live, sealed (made of --docs), sealed:CORPUS, replay:DIR'),
  twins: option('N', atMost(100).default(1), 'sealed: look-alikes of each document with altered figures'),
  record: option('DIR', absent(text), 'keep every request and its answer there'),
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
    absent(text),
    'make the web fail: rate-limited, flaky, slow, anti-bot, stale, or a JSON file',
  ),
  block: option(
    'RULES',
    z.union([rulesByCommas, z.array(text)], 'rules: HOST, HOST/PATH or *TEXT*, by commas').default([]),
    "not to be read, beside what publishes the benchmark's answers: HOST, HOST/PATH or *TEXT*, by commas",
  ),
  pageReader: option(
    'NAME',
    oneOf(names(pageReaders)).default('own'),
    `makes text of pages: ${names(pageReaders).join(', ')}`,
  ),
  search: option('NAME', oneOf(names(searchProviders)).default('serper'), names(searchProviders).join(', ')),
  browser: option('PATH', absent(text), "a Chromium for pages that need JavaScript, or 'off'"),
} as const
