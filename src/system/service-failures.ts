/**
 * The words of services for an account that cannot pay: no balance, an overdue bill, a spending limit. Many services use the
 * same words for a limit that refills by itself (`insufficient_quota`); `refills` recognises those.
 */
const noCredit =
  /insufficient[_ ]?(?:(?:user|account)[_ ])?(?:quota|balance|funds?|credits?)|balance is (?:insufficient|too low)|current[_ ]quota|credit[_ ](?:balance|limit)|(?:out of|not enough|no|any|all available|more|purchase) credits?\b(?! (?:was|were|is|are|will be|have been|has been) (?:charged|used|deducted|billed|consumed))|credits? (?:are |is )?(?:depleted|exhausted)|billing[_ ](?:hard[_ ])?limit|billing[_ ]not[_ ]active|check your (?:plan and )?billing|spend(?:ing)?[_ ](?:limit|cap)|budget[_ ](?:has been )?exceeded|(?:exceeded|crossed|over) ?budget|specified api usage limits|overdue|arrear|account (?:\S+ ){0,4}is suspended|余额不足|可用资源包|欠费|充值|额度(?:不足|失败|已)/i

const refills =
  /rate[_ -]limit|per[_ -]?(?:second|minute|min|hour|day)|\b[rti]p[smhd]\b|throttl(?!ing_error)|token-limit|(?:try again|retry) (?:in|after|later|soon|shortly)|稍后|速率|频率|频繁|限流|饱和/i

/** The words of a free tier that does not include the model. */
const notIncluded = /\blimit: 0\b/i

const serverMissing = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/

/** Whether the message of a failed connection says that no server runs at the address. */
export function isServerMissing(message: string): boolean {
  return serverMissing.test(message)
}

/** Whether the message of a failure names a limit that refills by itself. */
export function isTemporaryLimit(message: string): boolean {
  return refills.test(message)
}

/** Whether the message of a failure says that the account needs credit or a higher limit before another request can succeed. */
export function isCreditExhausted(message: string): boolean {
  return notIncluded.test(message) || (noCredit.test(message) && !isTemporaryLimit(message))
}

const timeSpans = String.raw`(?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|h(?:ours?|r)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)\s*)+`
const waitInEnglish = new RegExp(String.raw`(?:try again|retry|wait)[^.\d]{0,20}(${timeSpans})(?![a-z])`, 'i')
const waitInChinese = /(\d+(?:\.\d+)?)\s*(秒|分钟)[^\d]{0,4}(?:再|重)试/

/** Returns the wait that the message of a failure asks for, such as `Please try again in 1m7.5s`; null when it names none. */
export function waitMsInMessage(message: string): number | null {
  const english = waitInEnglish.exec(message)?.[1]
  if (english !== undefined) return timeSpanMs(english)
  const chinese = waitInChinese.exec(message)
  return chinese === null ? null : Math.ceil(Number(chinese[1]) * (chinese[2] === '秒' ? 1_000 : 60_000))
}

/** Reads a span of time such as `6m0s`, `1.57s`, `20ms` or `54 seconds`. Returns null for any other text. */
function timeSpanMs(span: string): number | null {
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
 * Returns the wait in milliseconds that the headers of a response ask for: `retry-after-ms`, otherwise `Retry-After` in seconds
 * or as an HTTP date, otherwise the time until every exhausted limit refills. Returns null when they name none.
 *
 * @param header returns a header by its name in lower case
 * @param now milliseconds since the epoch, for a date in a response without a `Date` header; null when
 * unknown
 */
export function readRetryAfter(header: (name: string) => string | null, now: number | null): number | null {
  const milliseconds = Number(header('retry-after-ms')?.trim() || Number.NaN)
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return Math.ceil(milliseconds)
  const text = header('retry-after')?.trim() ?? ''
  if (text === '') return readRefillMs(header)
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return seconds < 0 ? null : Math.ceil(seconds * 1000)
  const answered = Date.parse(header('date') ?? '')
  const waitMs = Date.parse(text) - (Number.isNaN(answered) ? (now ?? Number.NaN) : answered)
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs)
}

/** The limits of OpenAI and Groq, which refill after a span (`6m0s`), and of Cerebras, after so many seconds. */
const limits = ['requests', 'tokens', 'requests-minute', 'tokens-minute']

function readRefillMs(header: (name: string) => string | null): number | null {
  const waits = limits
    .filter(limit => header(`x-ratelimit-remaining-${limit}`)?.trim() === '0')
    .map(limit => {
      const reset = header(`x-ratelimit-reset-${limit}`)?.trim() ?? ''
      return /^\d+(\.\d+)?$/.test(reset) ? Math.ceil(Number(reset) * 1_000) : (timeSpanMs(reset) ?? 0)
    })
  const longest = Math.max(0, ...waits)
  return longest === 0 ? null : longest
}

/** The words of providers that refuse a PDF with too many pages. */
const pageWords =
  /(?:maximum|at most|exceed\w*|too many|more than|limit\w*)[^.\n]{0,60}\bpages?\b|\bpages?\b[^.\n]{0,40}(?:limit|exceed|maximum)/i

/** Whether the message of a failure says that a PDF has too many pages. */
export function isPageLimit(message: string): boolean {
  return pageWords.test(message)
}
