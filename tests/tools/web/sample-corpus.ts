import type { CorpusInput, SourceDocument, SuppliedText } from '../../../tools/web/corpus-build.ts'
import { writePdf } from '../../../tools/web/pdf-writer.ts'

const companies = ['Alder', 'Birch', 'Cedar', 'Damson', 'Elm', 'Fir', 'Ginkgo', 'Hazel', 'Iroko', 'Juniper']

/** Writes a fictional report whose figures depend on the index. */
export function quarterlyReport(index: number, year: number): string {
  const company = `${companies[index % companies.length]!.toUpperCase()} ${'ABCDEFGHIJ'[Math.floor(index / 10)]} HOLDINGS, INC.`
  const figure = (base: number) => (base * 1_000 + index * 137 + (year % 100)).toLocaleString('en-US')
  return `UNITED STATES
SECURITIES AND EXCHANGE COMMISSION
Washington, D.C. 20549
FORM 10-Q
QUARTERLY REPORT PURSUANT TO SECTION 13 OR 15(d)
For the quarterly period ended March 31, ${year}
${company}
(Exact name of registrant)
Revenue\t${figure(4512)}\t${figure(4310)}
Net income\t${figure(613)}\t${figure(588)}
Total assets\t${figure(98124)}\t${figure(97001)}
Total liabilities\t${figure(51023)}\t${figure(50110)}
Earnings per share\t2.41\t2.19
The company was founded in 1987 and employs ${figure(12)} people.
`
}

/** A report as a document of the corpus. */
function reportDocument(index: number): SourceDocument {
  const text = quarterlyReport(index, 2024)
  const ticker = companies[index % companies.length]!.slice(0, 4).toLowerCase()
  return {
    name: `${ticker}${Math.floor(index / 10)}_10q_fy2024q1.pdf`,
    source: { bytes: writePdf(text, '') },
    text,
  }
}

/** A court case as a benchmark supplies it. */
export const caseDocument: SuppliedText = {
  hint: '张某某诈骗案',
  title: '张某某诈骗案',
  text: '被告人张某某于2021年3月5日以投资为名，骗取人民币25,300元。\n法院判处张某某有期徒刑三年，并处罚金人民币5000元。',
}

/** Returns the input for a corpus with this many reports, one case and one twin each. */
export function sampleInput(reports: number): CorpusInput {
  return {
    documents: Array.from({ length: reports }, (_unused, index) => reportDocument(index)),
    embedded: [caseDocument],
    twins: 1,
    seed: 0,
  }
}
