import { pageReaders } from '../../../tools/page/registry.ts'
import { parseAllowedHost } from '../../../tools/web/address-guard.ts'
import { ConfigError } from '../../core/errors.ts'
import { defineOption } from '../../core/option-spec.ts'
import {
  atMost,
  blockRules,
  entryOf,
  interval,
  oneOf,
  optional,
  text,
  textsOrNone,
  toggle,
  webMode,
} from '../../core/option-values.ts'

const option = defineOption('Web', { separates: ['online'], commands: ['tools call', 'tools serve'] })

const allowedHosts = textsOrNone.transform(input => {
  for (const entry of input) parseAllowedHost(entry)
  return input
})

const modelHosts = textsOrNone.transform(input =>
  input.map(one => {
    const { hostname, port } = parseAllowedHost(one)
    if (port === null) return hostname
    throw new ConfigError(`--agent-model-host ${one}: write the host without a port, such as ${hostname}`, {
      code: 'invalid-host',
    })
  }),
)

const isolation = text.refine(
  input => ['auto', 'bubblewrap', 'none'].includes(input) || /^container:\S+$/.test(input),
  'auto, bubblewrap, container:IMAGE or none',
)

/** The value of a header: printable ASCII characters. */
const headerText = text.refine(
  input => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(input),
  'printable ASCII characters, without a space at either end',
)

/** An address at which sites reach whoever runs the program. */
const contactText = headerText.refine(
  input => /[\w-][@.][\w-]/.test(input),
  'an e-mail or web address, such as research@elm.example',
)

/** The options for the web. */
export const webOptions = {
  web: option(
    'MODE',
    webMode.default('live'),
    'where searches and fetches go: live, sealed (a corpus made of --docs), sealed:CORPUS, replay:DIR',
    { separates: [], flag: 'common' },
  ),
  twins: option('N', atMost(100).default(1), 'sealed: how many copies of each document with altered figures'),
  record: option('DIR', optional(text), 'record every request and its answer in this folder', {
    changes: 'course',
  }),
  replay: option(
    'HOW',
    oneOf(['strict', 'auto']).default('strict'),
    'a request that is not in the recording fails (strict), or is sent and recorded (auto)',
  ),
  onReplayMiss: option(
    'HOW',
    oneOf(['observe', 'end']).default('observe'),
    'when a replay fails, the agent sees the failure (observe) or the attempt ends (end)',
    { commands: [] },
  ),
  faults: option(
    'PROFILE',
    optional(text),
    'simulate failures of the web: rate-limited, flaky, slow, anti-bot, stale, or a JSON file',
  ),
  block: option(
    'RULES',
    blockRules.default([]),
    "addresses that must not be opened: HOST, HOST/PATH or *TEXT*, separated by commas; pages that publish the benchmark's answers are always blocked",
  ),
  allowHost: option(
    'HOST[:PORT]',
    allowedHosts,
    'live: allow pages of a host that is not public, such as an intranet; may be given several times',
    { repeats: true },
  ),
  userAgent: option(
    'TEXT',
    optional(headerText),
    'live: the User-Agent of page requests, such as the name of your project',
  ),
  contact: option(
    'ADDRESS',
    optional(contactText),
    'live: your e-mail or web address for the owners of sites, added to the User-Agent',
  ),
  hostInterval: option(
    'TIME',
    interval.default(250),
    'live: shortest time between two page requests to the same host, such as 2s; 0 for none',
    { changes: 'course' },
  ),
  agentProxy: option(
    null,
    toggle,
    'online: an agent of your own fetches pages through a proxy, so that they are recorded, limited and counted (docs/agents.md)',
    { commands: [] },
  ),
  agentModelHost: option(
    'HOST',
    modelHosts,
    'with --agent-proxy: let agents call this host of a model provider, outside the token budget; may be given several times',
    { repeats: true, commands: [] },
  ),
  isolate: option(
    'MODE',
    isolation.default('auto'),
    'online: how an agent of your own is kept apart from this machine: auto, bubblewrap, container:IMAGE or none (docs/agents.md)',
    { changes: 'course', separates: [], commands: [] },
  ),
  pageReader: option(
    'NAME',
    entryOf(pageReaders).default('own'),
    `converts pages to text: ${pageReaders.names().join(', ')}`,
  ),
  browser: option('PATH', optional(text), "path of a Chromium for pages that need JavaScript, or 'off'", {
    changes: 'course',
  }),
} as const
