/**
 * The words for units and shares in other languages than English and Chinese. The first word of a list is the English name
 * in src/text/units.ts. Words that are often other words are left out: French `an`, Italian `ore`, Danish `time`.
 */
export const unitTranslations: readonly (readonly [string, string])[] = [
  ['year', 'Jahr|Jahre|Jahren|Jahres|ans|année|año|anno|anni|ano|jaar|jaren'],
  ['year', 'год|года|лет|років|роки|рік|rok|roku|lata|lat|let|roky|år|aasta|vuosi|vuotta|év|yıl|년|年間'],
  ['month', 'Monat|Monate|Monaten|mois|mes|meses|mese|mesi|mês|maand|maanden|kk|kuukausi|kuukautta'],
  [
    'month',
    'месяц|месяца|месяцев|місяць|місяці|місяців|miesiąc|miesiące|miesięcy|měsíc|měsíce|měsíců|månad|månader|måned|måneder|hónap|개월|ヶ月|か月|カ月',
  ],
  [
    'week',
    'Woche|Wochen|semaine|semana|settimana|settimane|weken|неделя|недели|недель|tydzień|tygodnie|tygodni|týden|týdny|týdnů|vecka|veckor|uge|uger|uke|uker|hét|hafta|주|週間',
  ],
  [
    'day',
    'Tag|Tage|Tagen|jour|día|dia|giorno|giorni|dag|dagen|dagar|dage|dager|день|дня|дней|dzień|dni|dny|dnů|päivä|päivää|gün|일|日間',
  ],
  [
    'hour',
    'Stunde|Stunden|Std|heure|hora|ora|uur|uren|час|часа|часов|godzina|godziny|godzin|hodina|hodiny|hodin|timme|timmar|saat|시간|時間',
  ],
  [
    'minute',
    'Minuten|minuto|minuti|minuten|минута|минуты|минут|minuta|minuty|minut|minuter|minutter|dakika|분|分間',
  ],
  [
    'second',
    'Sekunde|Sekunden|seconde|segundo|secondo|secondi|seconden|секунда|секунды|секунд|sekunda|sekundy|sekund|sekunder|saniye|초|秒',
  ],
  [
    'kilometer',
    'kilomètre|kilómetro|chilometro|chilometri|quilômetro|quilómetro|километр|километра|километров|kilometr|kilometry|kilometrů|킬로미터|キロメートル',
  ],
  ['meter', 'Metern|mètre|metro|metri|метр|метра|метров|metr|metry|metrů|미터|メートル'],
  ['centimeter', 'centimètre|centímetro|centimetro|centimetri|Zentimeter|сантиметр|сантиметра|сантиметров'],
  ['inch', 'Zoll|pouce|pulgada|polegada|pollice|pollici|дюйм|дюйма|дюймов|インチ'],
  ['millimeter', 'millimètre|milímetro|millimetro|millimetri|миллиметр|миллиметра|миллиметров'],
  ['hectare', 'Hektar|hectárea|ettaro|ettari|гектар|гектара|гектаров|hektar|hektary|hektarů|ヘクタール'],
  [
    'square kilometer',
    'Quadratkilometer|kilomètre carré|kilomètres carrés|kilómetro cuadrado|kilómetros cuadrados',
  ],
  [
    'square meter',
    'Quadratmeter|mètre carré|mètres carrés|metro cuadrado|metros cuadrados|metro quadro|metri quadri',
  ],
  ['cubic meter', 'Kubikmeter|mètre cube|mètres cubes|metro cúbico|metros cúbicos|metro cubo|metri cubi'],
  ['liter', 'litro|litri|литр|литра|литров|litr|litry|litrů|리터|リットル'],
  ['milliliter', 'millilitro|millilitri|mililitro|миллилитр|миллилитра|миллилитров'],
  ['tonne', 'Tonne|Tonnen|tonelada|tonnellata|tonnellate|ton|тонна|тонны|тонн|tona|tony|tuna|tuny|톤|トン'],
  [
    'kilogram',
    'Kilogramm|kilogramme|kilogramo|chilogrammo|chilogrammi|quilograma|килограмм|килограмма|килограммов|キログラム|킬로그램',
  ],
  ['gram', 'Gramm|gramo|grammo|grammi|grama|грамм|грамма|граммов|グラム|그램'],
  ['milligram', 'Milligramm|milligramme|miligramo|milligrammo|миллиграмм|миллиграмма|миллиграммов'],
  ['page', 'Seite|Seiten|página|pagina|pagine|страница|страницы|страниц|strona|strony|stron|ページ|쪽'],
  ['share', 'Aktie|Aktien|acción|acciones|azione|azioni|акция|акции|акций'],
  ['person', 'Personen|Mitarbeiter|personne|persona|personas|persone|человек|osób|osoba|osoby|명'],
]

/** How a multiple is written: 1.5x, 3-fold, 2 times. */
export const multipleWords = 'times|fold|-fold|mal|fach|-fach|fois|veces|vezes|volte|раз|раза|倍|倍数|배'

/** Percentage points: the difference of two percentages, which is no percentage itself. */
export const pointWords =
  'percentage point|percent point|per cent point|%-point|% point|%pt|Prozentpunkt|Prozentpunkte|Prozentpunkten|point de pourcentage|points de pourcentage|punto porcentual|puntos porcentuales|punto percentuale|punti percentuali|ponto percentual|pontos percentuais|procentpoint|procentenhet|procentenheter|punkt procentowy|punkty procentowe|punktów procentowych|п.п|процентный пункт|процентных пункта|процентных пунктов|个百分点|百分点|%포인트|%p'

const percentWords =
  'per[ -]?cent|pct|prozent|pour[ -]cent|por ciento|por cento|per cento|procent[aouyů]?|проц(?:\\.|ента?|ентов)|відсотк(?:и|ів|а)|パーセント|퍼센트'
const perMilleWords = 'per mille|permille|promille|pro mille|pour mille|por mil|промилле'

const percent = new RegExp(
  `^(?:[%％]|(?:${percentWords})(?!\\p{L}))(?![ -]?(?:p(?:oin)?ts?(?!\\p{L})|p(?!\\p{L})|포인트))`,
  'iu',
)
const perMille = new RegExp(`^(?:‰|(?:${perMilleWords})(?!\\p{L}))`, 'iu')
const anyPercent = new RegExp(`[%％]|(?<!\\p{L})(?:${percentWords})|_pct$|百分`, 'iu')
const anyPerMille = new RegExp(`‰|(?<!\\p{L})(?:${perMilleWords})`, 'iu')

/** In mixed case, `Bps` is bytes per second. */
const basisPoints = /^(?:bps?|BPS?|basis points?)(?!\p{L})/u

/** What a number is a share of: 100 for %, 1000 for ‰, and 10,000 for basis points. */
export type ShareOf = 100 | 1000 | 10_000

/** Reads a percent or per mille sign, or words for it and for basis points, at the start of a text. */
export function readShareSign(text: string): { readonly of: ShareOf; readonly length: number } | null {
  const points = basisPoints.exec(text)
  if (points !== null) return { of: 10_000, length: points[0].length }
  const mille = perMille.exec(text)
  if (mille !== null) return { of: 1000, length: mille[0].length }
  const cent = percent.exec(text)
  return cent === null ? null : { of: 100, length: cent[0].length }
}

/** Returns what the name of a column says that its numbers are shares of: 100, 1000, or null. */
export function readShareOfName(name: string): 100 | 1000 | null {
  if (anyPerMille.test(name)) return 1000
  return anyPercent.test(name) ? 100 : null
}
