/**
 * What services say in a failure when the account cannot pay: no balance, a bill overdue, a spending limit reached. Told
 * from a limit that refills by itself, which many services put into the same words (`insufficient_quota`).
 */
const noCredit =
  /insufficient[_ ]?(?:(?:user|account)[_ ])?(?:quota|balance|funds?|credits?)|balance is (?:insufficient|too low)|current[_ ]quota|credit[_ ](?:balance|limit)|(?:out of|not enough|no|any|all available|more|purchase) credits?\b|credits? (?:are |is )?(?:depleted|exhausted)|billing[_ ](?:hard[_ ])?limit|billing[_ ]not[_ ]active|check your (?:plan and )?billing|spend(?:ing)?[_ ](?:limit|cap)|budget[_ ](?:has been )?exceeded|(?:exceeded|crossed|over) ?budget|specified api usage limits|overdue|arrear|account (?:\S+ ){0,4}is suspended|余额不足|可用资源包|欠费|充值|额度(?:不足|失败|已)/i

const refills =
  /rate[_ -]limit|per[_ -]?(?:second|minute|min|hour|day)|\b[rti]p[smhd]\b|throttl(?!ing_error)|token-limit|(?:try again|retry) (?:in|after|later|soon|shortly)|稍后|速率|频率|频繁|限流|饱和/i

/** A free tier that leaves a model out says so as a limit of nothing. */
const neverGiven = /\blimit: 0\b/i

const notThere = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/

/** Whether a failed connection says that no server was found at the address: no such host, or nothing listens. */
export function isServerMissing(words: string): boolean {
  return notThere.test(words)
}

/** Whether a failure speaks of a limit that time alone lifts. */
export function isTemporaryLimit(words: string): boolean {
  return refills.test(words)
}

/** Whether a failure says that the account has to be paid or raised before asking again can help. */
export function isCreditExhausted(words: string): boolean {
  return neverGiven.test(words) || (noCredit.test(words) && !isTemporaryLimit(words))
}

const spans = String.raw`(?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|h(?:ours?|r)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)\s*)+`
const namedAfter = new RegExp(String.raw`(?:try again|retry|wait)[^.\d]{0,20}(${spans})(?![a-z])`, 'i')
const namedInChinese = /(\d+(?:\.\d+)?)\s*(秒|分钟)[^\d]{0,4}(?:再|重)试/

/** Milliseconds that a failure's own words ask to wait: `Please try again in 1m7.5s`; null where they name no time. */
export function waitMsInMessage(words: string): number | null {
  const named = namedAfter.exec(words)?.[1]
  if (named !== undefined) return timeSpanMs(named)
  const chinese = namedInChinese.exec(words)
  return chinese === null ? null : Math.ceil(Number(chinese[1]) * (chinese[2] === '秒' ? 1_000 : 60_000))
}

/** The milliseconds of a span of time such as `6m0s`, `1.57s`, `20ms` or `54 seconds`; null where it is none. */
export function timeSpanMs(span: string): number | null {
  let sum: number | null = null
  for (const [, amount, unit = ''] of span.matchAll(/(\d+(?:\.\d+)?)\s*(ms|milli|h|m|s)/gi))
    sum = (sum ?? 0) + Number(amount) * unitMs(unit.toLowerCase())
  return sum === null ? null : Math.ceil(sum)
}

function unitMs(unit: string): number {
  if (unit === 'ms' || unit === 'milli') return 1
  if (unit === 's') return 1_000
  return unit === 'm' ? 60_000 : 3_600_000
}

/**
 * Milliseconds that an answer asks us to wait, by Retry-After (seconds or an HTTP date) or retry-after-ms, else by when the
 * limits refill of which it says that nothing is left. A date is seen from the answer's own Date header, else from `now`
 * (milliseconds; null: unknown). Null where it names no wait.
 */
export function readRetryAfter(header: (name: string) => string | null, now: number | null): number | null {
  const milliseconds = Number(header('retry-after-ms')?.trim() || Number.NaN)
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return Math.ceil(milliseconds)
  const text = header('retry-after')?.trim() ?? ''
  if (text === '') return refillOf(header)
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return seconds < 0 ? null : Math.ceil(seconds * 1000)
  const answered = Date.parse(header('date') ?? '')
  const waitMs = Date.parse(text) - (Number.isNaN(answered) ? (now ?? Number.NaN) : answered)
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs)
}

/** OpenAI's and Groq's limits, a span each (`6m0s`), and Cerebras' in seconds. */
const limits = ['requests', 'tokens', 'requests-minute', 'tokens-minute']

function refillOf(header: (name: string) => string | null): number | null {
  const waits = limits
    .filter(limit => header(`x-ratelimit-remaining-${limit}`)?.trim() === '0')
    .map(limit => {
      const said = header(`x-ratelimit-reset-${limit}`)?.trim() ?? ''
      return /^\d+(\.\d+)?$/.test(said) ? Math.ceil(Number(said) * 1_000) : (timeSpanMs(said) ?? 0)
    })
  const longest = Math.max(0, ...waits)
  return longest === 0 ? null : longest
}
