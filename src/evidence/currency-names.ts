/**
 * The names of each currency. `dollars` alone means the currency of the United States, as contracts under American law
 * define it.
 */
const namesByCode: readonly (readonly [string, ...string[]])[] = [
  ['USD', 'US dollar', 'United States dollar', 'dollar', '美元'],
  ['CNY', 'RMB', 'renminbi', 'yuan', '人民币', '人民幣'],
  ['HKD', 'Hong Kong dollar', '港元', '港币'],
  ['EUR', 'euro', '欧元'],
  ['GBP', 'pound sterling', 'pounds sterling', 'British pound', '英镑'],
  ['JPY', 'yen', '日元'],
  ['CHF', 'Swiss franc', '瑞士法郎'],
  ['CAD', 'Canadian dollar', '加元'],
  ['AUD', 'Australian dollar', '澳元'],
]

const namesByPlainName = new Map(namesByCode.flatMap(names => names.map(name => [plainName(name), names])))

/** Lists the other names of a currency; empty for anything else. Names are compared without case, points and plural. */
export function currencyNames(value: string): readonly string[] {
  return namesByPlainName.get(plainName(value)) ?? []
}

/** The names of other dollars without the last word, which is `Dollar`: `Hong Kong`, `Australian`. */
const englishNames = new Intl.DisplayNames('en', { type: 'currency' })
const otherDollars = new Set(
  Intl.supportedValuesOf('currency').flatMap(code => {
    const name = englishNames.of(code) ?? ''
    const [, land] = /^(.+) dollar$/.exec(name.toLowerCase()) ?? []
    return land === undefined || code === 'USD' ? [] : [land.split(' ').at(-1)!]
  }),
)

/**
 * Whether a word makes the name of a currency that of another one: a Hong Kong dollar is no evidence of the dollar.
 *
 * @param before the word before the name, in lower case
 * @param name the folded name
 */
export function namesOtherCurrency(before: string, name: string): boolean {
  return name === 'dollar' && otherDollars.has(before)
}

function plainName(name: string): string {
  return name
    .replaceAll('.', '')
    .toLowerCase()
    .replace(/(?<=[a-z]{3})s$/, '')
    .trim()
}
