/** Texts that mean that a cell has no value, in lower case. */
const blanks = new Set(
  [
    [
      '',
      'null',
      'none',
      'nan',
      'na',
      'n/a',
      '#n/a',
      'nil',
      '[]',
      '{}',
      '""',
      '-',
      '--',
      '---',
      '–',
      '—',
      '/',
    ],
    ['not available', 'not applicable', 'not mentioned', 'not specified', 'not stated', 'not disclosed'],
    ['not provided', 'not found', 'unknown', 'unspecified', 'not reported', 'not given', 'not known'],
    [
      'no data',
      'no information',
      'no data available',
      'data not available',
      'n.a',
      'n.d',
      'n/d',
      'k.a',
      'k. a',
    ],
    ['keine angabe', 'keine angaben', 'nicht verfügbar', 'nicht angegeben', 'unbekannt'],
    [
      'non disponible',
      'non renseigné',
      'non communiqué',
      'inconnu',
      'no disponible',
      'no aplica',
      'sin datos',
    ],
    ['non disponibile', 'não disponível', 'não informado', 'brak danych', 'н/д', 'нет данных', 'не указано'],
    ['неизвестно', '暂无数据', '未提供', '未找到', '記載なし', '不明', '정보 없음', '해당 없음'],
    [
      "i don't know",
      'i do not know',
      "don't know",
      'do not know',
      'not sure',
      'no answer',
      'undisclosed',
      'tbd',
      'tba',
    ],
    [
      'not listed',
      'not published',
      'not determined',
      'not yet known',
      'to be announced',
      'to be determined',
      '?',
      '???',
    ],
    ['information not available', 'not in the document', 'not in the documents', 'cannot be determined'],
    [
      'weiß nicht',
      'weiss nicht',
      'je ne sais pas',
      'no lo sé',
      'desconocido',
      'desconhecido',
      'sconosciuto',
      'わかりません',
    ],
    ['不知道', '不详', '不詳', '未公布', '未公开', '无法确定', '没有提到', '모름', '알 수 없음'],
    ['无', '無', '未提及', '不适用', '不適用', '未披露', '未知', '未说明', '未注明', '暂无'],
  ].flat(),
)

const longest = Math.max(...[...blanks].map(text => text.length)) + 10

/** Whether the text of a cell or a field says that there is no value: empty, `N/A`, `null`, `—`, `(not stated)`, `未提及`. */
export function isBlankValue(text: string | null): boolean {
  if (text === null) return true
  const plain = text.trim()
  if (plain.length > longest) return false
  const folded = plain.normalize('NFKC').replaceAll('’', "'").toLowerCase()
  return (
    blanks.has(folded) ||
    ('.)]'.includes(folded.charAt(folded.length - 1)) && blanks.has(withoutFrame(folded)))
  )
}

/** Removes brackets around a text and a point after it. */
const withoutFrame = (text: string): string =>
  text.replace(/^[([](.*)[)\]]$/s, '$1').replace(/(?<=\p{L})\.$/u, '')
