import { type DemoDocument, heading, paragraph } from './blocks.ts'
import type { Judgment, StatuteCase, Verdict } from './cases-data.ts'

const ordinals = ['一', '二', '三', '四', '五']

/** Writes a criminal judgment as a document. */
export function judgmentDocument(judgment: Judgment): DemoDocument {
  const { court, number, procuratorate, verdicts, caseName } = judgment
  return {
    fileName: `${caseName}.pdf`,
    title: caseName,
    author: court,
    runningHead: `${caseName}　${number}`,
    language: 'zh',
    blocks: [
      { kind: 'title', text: court, below: ['刑事判决书', caseName, number] },
      paragraph(`公诉机关${procuratorate}。`),
      ...verdicts.map(({ name, description }) =>
        paragraph(`被告人${name}，${description}。因本案被羁押，现由公安机关依法执行强制措施。`),
      ),
      paragraph(
        `${procuratorate}以${verdicts.map(({ name }) => name).join('、')}犯罪一案，向本院提起公诉。本院依法组成合议庭，公开开庭审理了本案。现已审理终结。`,
      ),
      heading('审理查明的事实'),
      ...judgment.facts.map(paragraph),
      paragraph(judgment.evidence),
      heading('裁判理由'),
      paragraph(judgment.reasoning),
      paragraph(judgment.statutes),
      ...decisions(verdicts).map((text, index) => paragraph(`${ordinals[index]}、${text}`)),
      paragraph('如不服本判决，可在接到判决书的第二日起十日内，通过本院或者直接向上一级人民法院提出上诉。'),
      ...judgment.judges.map(paragraph),
      paragraph(judgment.date),
    ],
  }
}

function decisions(verdicts: readonly Verdict[]): string[] {
  const terms = verdicts.map(verdict => `${sentence(verdict)}；`)
  const others = verdicts.flatMap(({ name, other }) => (other === null ? [] : [`被告人${name}${other}；`]))
  return [...terms, ...others].map((text, index, all) =>
    index === all.length - 1 ? text.replace(/；$/, '。') : text,
  )
}

function sentence({ name, charge, term, probation, fine, confiscation, deprivation }: Verdict): string {
  const parts = [
    `被告人${name}犯${charge}，判处${term}`,
    probation,
    deprivation === null ? null : `剥夺政治权利${deprivation}`,
    fine === null ? null : `并处罚金${fine}`,
    confiscation === null ? null : `并处没收${confiscation}`,
  ]
  return parts.filter(part => part !== null).join('，')
}

/** Returns the gold of AOE's task legal_1: one row per defendant. Several charges are a list. */
export function verdictRows(judgments: readonly Judgment[]): Record<string, string | string[] | null>[] {
  return judgments.flatMap(({ caseName, verdicts }) =>
    verdicts.map(verdict => ({
      案件名: caseName,
      被告: verdict.name,
      罪名: chargesOf(verdict.charge),
      刑期: verdict.term,
      缓刑: verdict.probation,
      处罚金: verdict.fine,
      没收个人财产: verdict.confiscation,
      剥夺政治权利: verdict.deprivation,
      其他判决: verdict.other,
    })),
  )
}

/** Splits charges. The mark 、 also occurs inside the name of a charge; between charges it follows 罪. */
function chargesOf(charge: string): string | string[] {
  const charges = charge.split(/(?<=罪)、/)
  return charges.length === 1 ? charge : charges
}

/** Returns a case in the form of AOE's `input_doc`. */
export function caseObject({ caseName, number, facts }: StatuteCase): Record<string, string> {
  return { 案件名: caseName, 入库编号: number, 基本案情: facts }
}

/** Returns the gold of AOE's task legal_0: the statutes that apply to each case, as a list. */
export function statuteRows(cases: readonly StatuteCase[]): Record<string, string | readonly string[]>[] {
  return cases.map(({ caseName, statutes }) => ({ 案件名: caseName, 关联索引: statutes }))
}
