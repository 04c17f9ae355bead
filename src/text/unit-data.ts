import { multipleWords, pointWords } from './unit-words.ts'

/** What a unit measures, quotients aside. */
export type MeasuredUnit =
  | 'length'
  | 'area'
  | 'volume'
  | 'mass'
  | 'time'
  | 'months'
  | 'energy'
  | 'power'
  | 'data'
  | 'frequency'
  | 'voltage'
  | 'current'
  | 'pressure'
  | 'temperature'
  | 'angle'
  | 'speed'
  | 'pages'
  | 'points'
  | 'shares'
  | 'people'
  | 'multiple'
  | 'force'
  | 'concentration'
  | 'conductance'
  | 'field'
  | 'radioactivity'
  | 'dose'
  | 'resistance'
  | 'torque'
  | 'rotation'
  | 'sound'
  | 'light'
  | 'intensity'
  | 'illuminance'
  | 'pixels'
  | 'resolution'
  | 'parts'
  | 'amount'

/** The symbols and names of a unit, its size in the base unit, and what its zero is in the base unit. */
export type UnitData = readonly [symbols: string, names: string, factor: number, offset?: number]

/** The units by what they measure: symbols, whose letter case matters, and names, both separated by `|`. */
export const unitData: Readonly<Record<MeasuredUnit, readonly UnitData[]>> = {
  length: [
    ['km', 'kilometer|kilometre|公里|千米', 1000],
    ['m', 'meter|metre|米', 1],
    ['cm', 'centimeter|centimetre|厘米', 0.01],
    ['mm', 'millimeter|millimetre|毫米', 0.001],
    ['µm|um', 'micrometer|micrometre|micron|微米', 1e-6],
    ['nm', 'nanometer|nanometre|纳米', 1e-9],
    ['mi', 'mile|英里', 1609.344],
    ['yd', 'yard', 0.9144],
    ['ft', 'foot|feet|英尺', 0.3048],
    ['in', 'inch|inches|英寸', 0.0254],
    ['nmi', 'nautical mile|海里', 1852],
    ['Å', 'angstrom|ångström', 1e-10],
    ['AU|au', 'astronomical unit|天文单位', 149_597_870_700],
    ['ly', 'light-year|light year|lightyear|光年', 9_460_730_472_580_800],
    ['', 'parsec|秒差距', 3.085677581491367e16],
  ],
  area: [
    ['km2|km^2|sq km', 'square kilometer|square kilometre|平方公里|平方千米', 1e6],
    ['ha', 'hectare|公顷', 1e4],
    ['m2|m^2|sq m|sqm|qm', 'square meter|square metre|平方米', 1],
    ['cm2|cm^2', 'square centimeter|square centimetre|平方厘米', 1e-4],
    ['sq mi', 'square mile|平方英里', 2_589_988.110336],
    ['sq ft|sqft|ft2|ft^2', 'square foot|square feet|平方英尺', 0.09290304],
    ['ac', 'acre|英亩', 4046.8564224],
    ['', '亩', 2000 / 3],
  ],
  volume: [
    ['m3|m^3|cu m|cbm', 'cubic meter|cubic metre|立方米', 1000],
    ['ft3|ft^3|cu ft|cuft', 'cubic foot|cubic feet|立方英尺', 28.316846592],
    ['in3|in^3|cu in', 'cubic inch|cubic inches', 0.016387064],
    ['fl oz', 'fluid ounce', 0.0295735295625],
    ['L|l', 'liter|litre|升', 1],
    ['hL|hl', 'hectoliter|hectolitre', 100],
    ['dL|dl', 'deciliter|decilitre', 0.1],
    ['cL|cl', 'centiliter|centilitre', 0.01],
    ['mL|ml|cm3|cm^3|cc', 'milliliter|millilitre|cubic centimeter|cubic centimetre|毫升|立方厘米', 0.001],
    ['gal', 'gallon', 3.785411784],
    ['bbl', 'barrel|桶', 158.987294928],
  ],
  mass: [
    ['t', 'ton|tonne|metric ton|metric tonne|吨', 1e6],
    ['Mt', 'megatonne|megaton', 1e12],
    ['kt', 'kilotonne|kiloton', 1e9],
    ['kg', 'kilogram|kilo|公斤|千克', 1000],
    ['g', 'gram|gramme|克', 1],
    ['mg', 'milligram|毫克', 0.001],
    ['µg|ug|mcg', 'microgram|微克', 1e-6],
    ['lb|lbs', 'pound', 453.59237],
    ['oz', 'ounce', 28.349523125],
    ['', 'stone', 6350.29318],
    ['', 'short ton', 907_184.74],
    ['', 'long ton', 1_016_046.9088],
    ['', '斤', 500],
  ],
  time: [
    ['wk|wks', 'week|周|星期', 7 * 86_400],
    ['d', 'day|天', 86_400],
    ['h|hr|hrs', 'hour|小时', 3600],
    ['min|mins', 'minute|分钟', 60],
    ['s|sec|secs', 'second|秒', 1],
    ['ms', 'millisecond|毫秒', 0.001],
    ['µs|us', 'microsecond|微秒', 1e-6],
    ['ns', 'nanosecond|纳秒', 1e-9],
  ],
  months: [
    ['y|yr|yrs', 'year|years old|year-old|year old|年|岁|歳|세', 12],
    ['mo|mos', 'month|个月|個月', 1],
  ],
  energy: [
    ['TWh', 'terawatt hour|terawatt-hour', 3.6e15],
    ['GWh', 'gigawatt hour|gigawatt-hour', 3.6e12],
    ['MWh', 'megawatt hour|megawatt-hour|兆瓦时', 3.6e9],
    ['kWh', 'kilowatt hour|kilowatt-hour|千瓦时', 3.6e6],
    ['Wh', 'watt hour|watt-hour', 3600],
    ['PJ', 'petajoule', 1e15],
    ['TJ', 'terajoule', 1e12],
    ['GJ', 'gigajoule', 1e9],
    ['MJ', 'megajoule', 1e6],
    ['kJ', 'kilojoule|千焦', 1000],
    ['J', 'joule|焦耳', 1],
    ['kcal', 'kilocalorie|千卡|大卡', 4184],
    ['cal', 'calorie', 4.184],
  ],
  power: [
    ['TW', 'terawatt', 1e12],
    ['GW', 'gigawatt|吉瓦', 1e9],
    ['MW', 'megawatt|兆瓦', 1e6],
    ['kW', 'kilowatt|千瓦', 1000],
    ['W', 'watt|瓦', 1],
    ['mW', 'milliwatt', 0.001],
    ['hp|bhp', 'horsepower', 745.699872],
    ['PS', 'metric horsepower|Pferdestärke|Pferdestärken', 735.49875],
  ],
  data: [
    ['PB', 'petabyte', 8e15],
    ['TB', 'terabyte', 8e12],
    ['GB', 'gigabyte', 8e9],
    ['MB', 'megabyte', 8e6],
    ['kB|KB', 'kilobyte', 8000],
    ['B', 'byte|字节', 8],
    ['TiB', 'tebibyte', 8 * 2 ** 40],
    ['GiB', 'gibibyte', 8 * 2 ** 30],
    ['MiB', 'mebibyte', 8 * 2 ** 20],
    ['KiB', 'kibibyte', 8 * 2 ** 10],
    ['Tb|Tbit', 'terabit', 1e12],
    ['Gb|Gbit', 'gigabit', 1e9],
    ['Mb|Mbit', 'megabit', 1e6],
    ['kb|kbit|Kb', 'kilobit', 1000],
    ['b|bit', 'bit|比特', 1],
  ],
  frequency: [
    ['GHz', 'gigahertz', 1e9],
    ['MHz', 'megahertz', 1e6],
    ['kHz', 'kilohertz', 1000],
    ['Hz', 'hertz|赫兹', 1],
  ],
  voltage: [
    ['MV', 'megavolt', 1e6],
    ['kV', 'kilovolt|千伏', 1000],
    ['V', 'volt|伏', 1],
    ['mV', 'millivolt', 0.001],
  ],
  current: [
    ['kA', 'kiloampere', 1000],
    ['A', 'ampere|amp|安培', 1],
    ['mA', 'milliampere|milliamp', 0.001],
  ],
  pressure: [
    ['GPa', 'gigapascal', 1e9],
    ['MPa', 'megapascal|兆帕', 1e6],
    ['kPa', 'kilopascal|千帕', 1000],
    ['hPa', 'hectopascal', 100],
    ['Pa', 'pascal|帕', 1],
    ['bar', '', 1e5],
    ['mbar', 'millibar', 100],
    ['atm', 'atmosphere', 101_325],
    ['psi', '', 6894.757293168],
    [
      'mmHg|mm Hg',
      'millimeter of mercury|millimeters of mercury|millimetre of mercury|millimetres of mercury|毫米汞柱',
      133.322387415,
    ],
    ['Torr', 'torr', 101_325 / 760],
    ['inHg|in Hg', 'inches of mercury', 3386.389],
  ],
  temperature: [
    ['K', 'kelvin|开尔文', 1],
    [
      '°C|degC|deg C',
      'degree celsius|degrees celsius|degree c|degrees c|celsius|grad celsius|摄氏度',
      1,
      273.15,
    ],
    [
      '°F|degF|deg F',
      'degree fahrenheit|degrees fahrenheit|degree f|degrees f|fahrenheit|华氏度',
      5 / 9,
      (459.67 * 5) / 9,
    ],
  ],
  angle: [['°|deg', 'degree', 1]],
  speed: [
    ['km/h|kph|kmh|kmph', 'kilometers per hour|kilometres per hour|Stundenkilometer|公里/小时', 1 / 3.6],
    ['m/s', 'meters per second|metres per second|米/秒', 1],
    ['km/s', 'kilometers per second|kilometres per second', 1000],
    ['mph', 'miles per hour', 0.44704],
    ['kn', 'knot|节', 1852 / 3600],
  ],
  pages: [['pp', 'page|页', 1]],
  points: [['p.p.|pp.|ppt|ppts|pps|%p', pointWords, 1]],
  shares: [['', 'share|股', 1]],
  people: [['', 'people|person|employee|人|名', 1]],
  multiple: [['x|X|×', multipleWords, 1]],
  force: [['kN', 'kilonewton', 1000]],
  concentration: [],
  conductance: [],
  field: [],
  radioactivity: [],
  dose: [],
  resistance: [['Ω', 'ohm|欧姆', 1]],
  torque: [['Nm|N m|N·m|N*m', 'newton meter|newton metre|newton-meter|newton-metre|Newtonmeter|牛米', 1]],
  rotation: [['rpm|r/min|rev/min|U/min', 'revolutions per minute|revolution per minute|转/分', 1]],
  sound: [['dB', 'decibel|分贝', 1]],
  light: [['lm', 'lumen|流明', 1]],
  intensity: [['cd', 'candela|坎德拉', 1]],
  illuminance: [['lx', 'lux|勒克斯', 1]],
  pixels: [
    ['px', 'pixel|像素', 1],
    ['MP|Mpx', 'megapixel|百万像素', 1e6],
  ],
  resolution: [['dpi|ppi', 'dots per inch|pixels per inch', 1]],
  parts: [
    ['ppm', 'part per million|parts per million', 1000],
    ['ppb', 'part per billion|parts per billion', 1],
  ],
  amount: [['mol', 'mole|摩尔', 1]],
}

export const unitPrefixes: Readonly<Record<string, number>> = {
  p: 1e-12,
  n: 1e-9,
  µ: 1e-6,
  u: 1e-6,
  m: 0.001,
  k: 1000,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
}
/** Units whose prefix only its letter case tells: mWh and MWh, mPa and MPa, mM and mm. */
export const prefixedUnits: readonly (readonly [
  MeasuredUnit,
  base: string,
  factor: number,
  prefixes: string,
])[] = [
  ['length', 'm', 1, 'pM'],
  ['mass', 'g', 1, 'pnMGT'],
  ['mass', 't', 1e6, 'MG'],
  ['volume', 'L', 1, 'nµukMG'],
  ['volume', 'l', 1, 'nµukMG'],
  ['time', 's', 1, 'pM'],
  ['energy', 'Wh', 3600, 'mµu'],
  ['energy', 'J', 1, 'pnµumP'],
  ['energy', 'eV', 1.602176634e-19, 'mkMGT'],
  ['energy', 'cal', 4.184, 'mM'],
  ['power', 'W', 1, 'pnµu'],
  ['data', 'b', 1, 'P'],
  ['frequency', 'Hz', 1, 'mT'],
  ['voltage', 'V', 1, 'nµu'],
  ['current', 'A', 1, 'pnµuM'],
  ['pressure', 'Pa', 1, 'mµu'],
  ['pressure', 'bar', 1e5, 'Mk'],
  ['force', 'N', 1, 'nµumMG'],
  ['concentration', 'M', 1, 'pnµum'],
  ['conductance', 'S', 1, 'nµum'],
  ['field', 'T', 1, 'nµum'],
  ['radioactivity', 'Bq', 1, 'mkMGTP'],
  ['dose', 'Sv', 1, 'nµum'],
  ['resistance', 'Ω', 1, 'mkMG'],
  ['torque', 'Nm', 1, 'mk'],
  ['amount', 'mol', 1, 'nµumk'],
  ['dose', 'Gy', 1, 'mk'],
]
