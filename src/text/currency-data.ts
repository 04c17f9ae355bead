import { mapWords } from './plain-text.ts'

/** Codes that are recognised in any letter case and anywhere in a column's name. Others may be words, such as TOP or ALL. */
export const majorCodes = new Set(
  'USD EUR GBP JPY CNY RMB HKD CHF AUD CAD NZD SGD TWD KRW INR SEK NOK DKK RUB BRL MXN ZAR PLN CZK HUF THB IDR MYR PHP VND ILS AED SAR'.split(
    ' ',
  ),
)

/** Names in addition to the English ones of the platform. The first name of a list is the code. */
export const furtherNames: readonly (readonly [string, ...string[]])[] = [
  [
    'USD',
    'US dollar',
    'U.S. dollar',
    'United States dollar',
    'dollar',
    '美元',
    '美金',
    'dólar',
    'dólares',
    'доллар',
    'доллара',
    'долларов',
    '달러',
    'ドル',
  ],
  ['CNY', 'RMB', 'renminbi', 'yuan', '人民币', '人民幣'],
  ['HKD', 'Hong Kong dollar', '港元', '港币', '港幣'],
  ['EUR', 'euro', '欧元', '歐元', 'евро', 'євро', '유로', 'ユーロ'],
  ['GBP', 'pound sterling', 'pounds sterling', 'British pound', '英镑', '英鎊'],
  ['JPY', 'yen', '日元', '日圆', '円'],
  ['CHF', 'Swiss franc', 'Schweizer Franken', 'Franken', '瑞士法郎'],
  ['CAD', 'Canadian dollar', '加元'],
  ['AUD', 'Australian dollar', '澳元'],
  ['KRW', 'won', '韩元', '韓元', '원'],
  ['INR', 'rupee', '印度卢比'],
  ['RUB', 'ruble', 'rouble', '卢布', 'рубль', 'рубля', 'рублей', 'рубли'],
  ['TRY', 'Turkish lira', 'TL'],
  ['UAH', 'hryvnia', 'грн', 'гривня', 'гривень'],
  ['PLN', 'złoty', 'złote', 'złotych'],
  ['SEK', 'krona', 'kronor'],
  ['ILS', 'NIS', 'shekel'],
  ['TWD', '新台币', '新臺幣'],
  ['SGD', '新加坡元'],
]

/** Signs in addition to the platform's, with every currency that they may mean, the usual one first. */
export const furtherSigns: Readonly<Record<string, readonly string[]>> = {
  US$: ['USD'],
  'U.S.$': ['USD'],
  S$: ['SGD'],
  AU$: ['AUD'],
  C$: ['CAD', 'NIO'],
  CA$: ['CAD'],
  T$: ['TOP'],
  J$: ['JMD'],
  '¥': ['CNY', 'JPY'],
  '￥': ['CNY', 'JPY'],
  Rs: ['INR', 'PKR', 'LKR', 'NPR', 'MUR'],
  'Rs.': ['INR', 'PKR', 'LKR', 'NPR', 'MUR'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  'kr.': ['DKK', 'SEK', 'NOK', 'ISK'],
  SFr: ['CHF'],
  'Fr.': ['CHF'],
  'руб.': ['RUB'],
  руб: ['RUB'],
  'S/': ['PEN'],
  р: ['RUB'],
  'р.': ['RUB'],
  лв: ['BGN'],
  'лв.': ['BGN'],
  'дин.': ['RSD'],
  ден: ['MKD'],
  'د.إ': ['AED'],
  'ر.س': ['SAR'],
  'ج.م': ['EGP'],
  '﷼': ['IRR', 'SAR', 'OMR', 'QAR', 'YER'],
  KSh: ['KES'],
  TSh: ['TZS'],
  USh: ['UGX'],
  RM: ['MYR'],
  Rp: ['IDR'],
  N$: ['NAD'],
  B$: ['BND', 'BSD'],
  'GH₵': ['GHS'],
  '₵': ['GHS'],
  DH: ['MAD', 'AED'],
  dirham: ['AED', 'MAD'],
  dirhams: ['AED', 'MAD'],
  元: ['CNY'],
  圆: ['CNY'],
}

/** Signs of letters that are more often a word, a unit or a scale: `5 K`, `5 KM`, `5 L`. */
export const notSigns = new Set('Ar Bs CF Cg. Db FG K KM Kn Kz L P Q RF ZK'.split(' '))
/** Signs of letters that only count before the amount: `R 500`. */
export const prefixOnly = new Set(['R', 'S/'])

/** Signs and words for hundredths of a currency, with every currency that has them. */
export const hundredths = mapWords<readonly string[]>([
  ['¢|cent|cents', ['USD', 'EUR', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'ZAR']],
  ['pence|penny', ['GBP']],
  ['paise|paisa', ['INR', 'PKR']],
  ['öre', ['SEK']],
  ['øre', ['NOK', 'DKK']],
  ['groszy', ['PLN']],
  ['centavos', ['MXN', 'BRL', 'ARS', 'COP', 'PHP']],
])
