import { ConfigError } from '../../src/core/errors.ts'

/** The proxies that the environment names, as undici takes them. */
export interface SystemProxies {
  /** The proxy for http addresses; '' for none. */
  readonly httpProxy: string
  /** The proxy for https addresses; '' for none. */
  readonly httpsProxy: string
  /** Hosts that are reached without a proxy, separated by commas. */
  readonly noProxy: string
}

/** Hosts of this machine are never reached through a proxy. */
const ownHosts = 'localhost,127.0.0.1,[::1]'

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY. The names in lower case take precedence, as in curl.
 *
 * @returns null when no proxy is set
 * @throws ConfigError `invalid-url`
 */
export function systemProxies(env: NodeJS.ProcessEnv): SystemProxies | null {
  const httpProxy = env.http_proxy ?? env.HTTP_PROXY ?? ''
  const httpsProxy = env.https_proxy ?? env.HTTPS_PROXY ?? ''
  if (httpProxy === '' && httpsProxy === '') return null
  for (const [name, proxy] of Object.entries({ HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy }))
    if (proxy !== '' && !URL.canParse(proxy))
      throw new ConfigError(
        `${name}: '${proxy}' is not the address of a proxy. Write one such as http://127.0.0.1:3128.`,
        { code: 'invalid-url' },
      )
  const given = env.no_proxy ?? env.NO_PROXY ?? ''
  const noProxy = given.trim() === '*' ? '*' : [ownHosts, given].filter(part => part !== '').join(',')
  return { httpProxy, httpsProxy, noProxy }
}
