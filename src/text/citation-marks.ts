const file = String.raw`[^()[\]]{1,120}\.(?:pdf|docx?|xlsx?|pptx?|html?|txt|md|csv)`
const numbers = String.raw`\^?\d{1,3}(?:\s?[-–,;]\s?\^?\d{1,3})*`
const link = String.raw`\[[^[\]]{1,200}\]\(<?https?://[^\s()]+>?\)`
const source = String.raw`(?:source|sources|src|cite|cited|citation|ref|reference|see|doc|document|来源|來源|出处|quelle|fuente|fonte)`

/** Marks that models put after a value to say where they read it. */
const mark = [
  String.raw`【[^【】]{1,120}】`,
  String.raw`\ue200[^\ue200\ue201]{1,200}\ue201`,
  String.raw`:?contentReference\[oaicite:\d+\](?:\{[^{}]{0,40}\})?|\[oaicite:\d+\]`,
  String.raw`\^?\[{1,2}${numbers}\]{1,2}(?:\(<?https?://[^\s()]+>?\))?\^?`,
  String.raw`<sup>\s*\[${numbers}\]\s*</sup>`,
  String.raw`[([]pp?\.\s?\d{1,4}(?:\s?[-–]\s?\d{1,4})?[)\]]`,
  String.raw`\(${link}(?:[,;]\s*${link})*\)`,
  String.raw`[([]\s*${source}s?(?:\s*[:：]\s*[^()[\]]{1,200}|\s*#?\d{1,3}|\s+${file}[^()[\]]{0,40})[)\]]`,
  String.raw`[([]${file}(?:\s*[,:;#]\s*[^()[\]]{1,40})?[)\]]`,
  String.raw`\[(?:source|link|\d{1,3})\]\(<?https?://[^\s()]+>?\)`,
  String.raw`（(?:来源|來源|出处)[:：][^（）]{1,200}）`,
].join('|')

/** Marks count after a value, at its end or at the end of one of its items. */
const marks = new RegExp(String.raw`(?<=[^\s;,；、，|])\s*(?:(?:${mark})\s*)+(?=$|[;,；、，|\n.])`, 'giu')
const wholeLink = /^\[([^[\]]{1,200})\]\(<?https?:\/\/[^\s()]+>?\)$/u
const citeStart = /^\[cite_start\]\s*/u
const mayHaveMark = /[[(【（\ue200<]|oaicite/

/** Returns a value without the marks of its sources: `12 [1]`, `12 【3†source】`, `12 (source: report.pdf)`, `[12](https://…)`. */
export function withoutCitationMarks(text: string): string {
  if (!mayHaveMark.test(text)) return text
  return text.replace(citeStart, '').replace(marks, '').replace(wholeLink, '$1')
}
