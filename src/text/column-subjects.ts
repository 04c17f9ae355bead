import type { Dimension } from './units.ts'

/** What a word of a column's name says about its numbers. */
const subjects: readonly (readonly [Dimension | 'counted', RegExp])[] = [
  [
    'counted',
    /\b(?:revenues?|sales|turnover|profits?|income|earnings|prices?|costs?|fees?|budgets?|expens\w+|spending|assets|debts?|equity|liabilit\w+|capital|cash|salar\w+|wages?|gdp|market cap\w*|valuation|funding|investments?|loans?|fines?|grants?|taxes|dividends?|population|users?|downloads|followers|subscribers|views|visitors|passengers|inhabitants|employees|customers|members|votes|shares|attendance|parameters|params|tokens|units sold)\b|收入|利润|资产|负债|金额|价格|费用|工资|预算|人口|用户|销售额|投资/iu,
  ],
  [
    'length',
    /\b(?:heights?|depths?|lengths?|widths?|distances?|thickness\w*|diameters?|radius|altitudes?|elevations?|rain\w*|snow\w*|precipitation|wavelengths?|wingspan|span|draft|draught|tall|long|wide|deep|gap|stature|visibility)\b|高度|深度|长度|宽度|距离|厚度|直径|半径|海拔|降水量|降雨量|身高/iu,
  ],
  [
    'mass',
    /\b(?:weights?|mass|tonnage|payloads?|cargo|emissions?|harvest|displacement)\b|重量|质量|体重|排放/iu,
  ],
  ['temperature', /\b(?:temperatures?|temp|(?:melting|boiling|freezing|curie) point)\b|温度|熔点|沸点/iu],
  ['force', /\b(?:forces?|thrust|tension)\b|推力|拉力/iu],
  [
    'time',
    /^time(?: \(.*\))?$|\b(?:durations?|run ?time|elapsed|(?:marathon|winning|best|record|running|lap|split|track|finish(?:ing)?|race|net|gun|travel|flight|journey|driving|processing|response|training|cooking|cook|prep|preparation|waiting|wait|total) times?|dauer|laufzeit|fahrzeit|durée|duración|duração|durata|czas trwania)\b|длительность|продолжительность|时长|時長|用时/iu,
  ],
  [
    'angle',
    /\b(?:latitudes?|longitudes?|lat|lon|lng|coordinates|angles?|bearing|azimuth|declination|inclination)\b|纬度|经度/iu,
  ],
  ['data', /\b(?:storage|memory|file size|ram|bandwidth|disk|bits?|bytes?)\b|内存|存储/iu],
]

/** What the words of a column's name say that its numbers measure; `counted` for money and counts; null when nothing. */
export function readColumnSubject(name: string): Dimension | 'counted' | null {
  return subjects.find(([, words]) => words.test(name.replaceAll('_', ' ')))?.[0] ?? null
}

/** Names of columns whose numbers are digits to be kept as they are: 007 is not 7. */
const codes =
  /\b(?:zip|postal|postcode|plz|isbn|issn|isin|ean|sku|phone|tel|fax|versions?|releases?|sections?|clauses?)\b|(?:^|[\s_])(?:id|code|nr)s?$|编号|代码|电话|邮编|版本/iu

/** Whether a column's name says that its numbers are codes, whose leading and trailing zeros count. */
export const namesCode = (name: string): boolean => codes.test(name)

const counts =
  /^(?:number|no\.?|#|count) of |^(?:num|n)_|\b(?:count|headcount)$|数量$|人数$|^(?:\w+ )?(?:beds|rooms|seats|goals|games|matches|wins|floors|storeys|stories|students|teachers|patients|employees|inhabitants|population|users|members|branches|stores|schools|hospitals|vehicles|patents|votes|deaths|births|households)$/iu

/** Whether a column's name says that its numbers count things, so that they have no unit of measure and no currency. */
export const namesCount = (name: string): boolean => counts.test(name.trim())
