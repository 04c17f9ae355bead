/** The forms in which a table is written. */
export type TableFormat = 'text' | 'html' | 'latex'

/** Finds the form in which a table is written. */
export function findTableFormat(table: string): TableFormat {
  if (/\\begin\{(?:tabular|table)/.test(table)) return 'latex'
  return /<(?:table|ul|ol|li|div|span|p|h[1-6])\b[^>]*>/i.test(table) ? 'html' : 'text'
}
