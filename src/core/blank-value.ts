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
    ['not provided', 'not found', 'unknown', 'unspecified'],
    ['无', '無', '未提及', '不适用', '不適用', '未披露', '未知', '未说明', '未注明', '暂无'],
  ].flat(),
)

/** Whether the text of a cell or a field says that there is no value: empty, `N/A`, `null`, `—`, `未提及`. */
export function isBlankValue(text: string | null): boolean {
  return text === null || blanks.has(text.normalize('NFKC').trim().toLowerCase())
}
