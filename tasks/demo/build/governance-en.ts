import { type Block, heading, paragraph, subheading, table } from './blocks.ts'
import type { Company } from './company.ts'
import { grouped } from './money.ts'

/** Writes the section on governance, people and environment of an English annual report. */
export function governance(company: Company, year: number): Block[] {
  const part = (percent: number) => Math.round((company.staff * percent) / 100)
  const counted = [part(58), part(17), part(13), part(4)]
  const rest = company.staff - counted.reduce((sum, count) => sum + count, 0)
  return [
    heading('V. Governance, people and environment'),
    subheading('General meetings and board'),
    paragraph(
      `Two general meetings were held in ${year}: the annual meeting in May, which approved the accounts of ${year - 1}, the dividend and the choice of auditor, and an extraordinary meeting in November, which elected the new board for three years. Shareholders could vote in the hall and online; votes of holders of less than five percent were counted separately. All motions were carried.`,
    ),
    paragraph(
      `The board has nine members, three of them independent. It met seven times in ${year}, four times by video. The audit committee met five times, discussed the scope and the findings of the audit with the auditor without management being present, and reviewed the work of the internal audit department on purchasing, on payments to agents and on the safety of data. The committees for strategy, for nomination and for remuneration met twice each. No director missed two meetings in a row.`,
    ),
    paragraph(
      'Directors who are also managers receive a salary and a bonus that depends on the goals for safety, quality and profit set at the beginning of the year; independent directors receive a fixed allowance. Half of the bonus of senior managers is deferred for two years and lapses when the figures on which it rested have to be corrected.',
    ),
    subheading('Internal control'),
    paragraph(
      'The board has assessed internal control over financial reporting as at the end of the year by the framework of the supervisory authorities and found no material weakness. One shortcoming of minor importance, the late clearing of goods received without an invoice, was mended in the third quarter by a change in the purchasing system. The auditor has issued a separate report on internal control without reservations.',
    ),
    subheading('Staff'),
    paragraph(
      `At the end of ${year} the Group employed ${grouped(company.staff, 0)} people. Each spent twenty-six hours on average in training. The rate of reportable accidents fell for the fourth year; there was no fatal accident. A works council has existed since the Company was listed.`,
    ),
    table(
      [52, 24, 24],
      ['Function', 'People', 'Share (%)'],
      [
        ['Production', counted[0] ?? 0],
        ['Research and engineering', counted[1] ?? 0],
        ['Sales and service', counted[2] ?? 0],
        ['Finance', counted[3] ?? 0],
        ['Administration and other', rest],
        ['*All', company.staff],
      ].map(([label, count]) => [
        String(label),
        grouped(Number(count), 0),
        grouped((Number(count) / company.staff) * 100, 2),
      ]),
    ),
    subheading('Environment'),
    paragraph(
      'The plants hold the permits that the law requires, and their emissions stayed within the limits at all times; the readings of the continuous monitors are public. Electricity from the roofs of the plants covered about a ninth of consumption. Waste water is treated on site and reused for cooling. No fine was imposed for breaches of environmental law.',
    ),
    subheading('Undertakings, lawsuits and guarantees'),
    paragraph(
      `The controlling shareholder has undertaken not to compete with the Group and to keep dealings with it at arm's length; the undertaking was kept. Neither the controlling shareholder nor its affiliates used funds of the Group for purposes other than trade. The Group gave no guarantees outside the Group. Lawsuits, unless mentioned in Section III, concern small amounts from the ordinary course of business.`,
    ),
  ]
}
