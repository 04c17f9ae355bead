import { ToolError } from '../../src/core/errors.ts'
import type { Transport } from './transport.ts'

/**
 * One blocked place. `host`: the host and its subdomains, or only the pages below `path`. `anywhere`: a text that
 * occurs in the address of every mirror, such as `owner/name` of a data set.
 */
export type BlockRule = { readonly host: string; readonly path?: string } | { readonly anywhere: string }

/**
 * Reports a request for a page that publishes the benchmark's answers. Nothing was sent. The leak ledger records
 * it.
 */
export class BlockedSourceError extends ToolError {
  readonly url: string
  readonly rule: string
  constructor(url: string, rule: string) {
    super('blocked', `${url} is on the block list: it publishes the answers to this benchmark`)
    this.url = url
    this.rule = rule
  }
}

/** The pages that publish a benchmark's answers. */
export interface AnswerBlockList {
  /** Returns the text of the rule that blocks an address; null when no rule does. */
  find(url: string): string | null
  /** @throws BlockedSourceError when a rule blocks the address */
  check(url: string): void
}

/** Parses a rule as users and benchmarks write it: `host`, `host/path`, or `*text*` (anywhere in the address). */
export function parseBlockRule(text: string): BlockRule {
  const anywhere = /^\*(.+)\*$/.exec(text)?.[1]
  if (anywhere !== undefined) return { anywhere }
  const [host = '', ...path] = text.replace(/^https?:\/\//, '').split('/')
  return path.length === 0 || path.join('') === '' ? { host } : { host, path: `/${path.join('/')}` }
}

/** Creates a block list. Letter case and percent-encoding of addresses are ignored. */
export function createBlockList(rules: readonly BlockRule[]): AnswerBlockList {
  const find = (url: string) => {
    const rule = rules.find(candidate => matches(candidate, url))
    return rule === undefined ? null : formatRule(rule)
  }
  return {
    find,
    check(url) {
      const rule = find(url)
      if (rule !== null) throw new BlockedSourceError(url, rule)
    },
  }
}

/** Refuses pages on the block list before a transport sees their requests. Requests of services pass. */
export function createBlockingTransport(inner: Transport, blockList: AnswerBlockList): Transport {
  const forAttempt = inner.forAttempt?.bind(inner)
  return {
    name: inner.name,
    async send(request, signal) {
      if (request.purpose === 'page') blockList.check(request.url)
      return await inner.send(request, signal)
    },
    ...(forAttempt && { forAttempt: attemptId => createBlockingTransport(forAttempt(attemptId), blockList) }),
  }
}

function matches(rule: BlockRule, url: string): boolean {
  if ('anywhere' in rule) return normaliseText(url).includes(normaliseText(rule.anywhere))
  if (!URL.canParse(url)) return false
  const parsed = new URL(url)
  const host = parsed.hostname.toLowerCase().replace(/\.$/, '')
  const blockedHost = rule.host.toLowerCase()
  if (host !== blockedHost && !host.endsWith(`.${blockedHost}`)) return false
  return rule.path === undefined || normaliseText(parsed.pathname).startsWith(normaliseText(rule.path))
}

// Decodes up to twice: an address inside a proxy's query string is encoded twice.
function normaliseText(text: string): string {
  const decoded = text.replace(/%25/g, '%').replace(/(?:%[0-9a-f]{2})+/gi, run => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex')
    return bytes.toString('utf8')
  })
  return decoded
    .toLowerCase()
    .replace(/\\/g, '/')
    .replace(/\/{2,}/g, '/')
}

function formatRule(rule: BlockRule): string {
  return 'anywhere' in rule ? `*${rule.anywhere}*` : `${rule.host}${rule.path ?? ''}`
}
