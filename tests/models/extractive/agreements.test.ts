import { describe, expect, it } from 'vitest'
import { answered } from './answered.ts'

const cover = `Exhibit 10.1
EXECUTION VERSION
$750,000,000
CREDIT AGREEMENT
dated as of June 15, 2021
among
HARBOR & FINCH, INC.,
as Borrower,
THE LENDERS PARTY HERETO
and
EASTERN TRUST BANK, N.A.,
as Administrative Agent
MIDLAND SECURITIES LLC,
as Sole Lead Arranger
TABLE OF CONTENTS`

const body = `CREDIT AGREEMENT (this “Agreement”) dated as of June 15, 2021, among HARBOR & FINCH, INC., a Delaware
corporation (the “Borrower”), the lenders from time to time party hereto, and EASTERN TRUST BANK, N.A., as
Administrative Agent.
“Aggregate Commitments” means the Commitments of all the Lenders. On the Closing Date the Aggregate Commitments are $750,000,000.
“Maturity Date” means MATURITY.
“Moody’s” means Moody’s Investors Service, Inc.
This Agreement shall be governed by, and construed in accordance with, the law of the State of New York.`

const schedule = `SCHEDULE 2.01
COMMITMENTS
Lender	Commitment
Eastern Trust Bank, N.A.	$400,000,000
Bank of the Northern Isles, New York	$200,000,000
Branch
Quarry Street Capital LLC	$150,000,000
Total	$750,000,000
SCHEDULE 5.06`

const agreement = (maturity: string) => `${cover}\n${body.replace('MATURITY', maturity)}\n${schedule}`

const ask = (query: string, text: string) => answered(query, ['a.pdf', text])

describe('terms of a credit agreement', () => {
  it('are its parties, dates, amount and law', () => {
    expect(ask('Summarize the credit agreements', agreement('June 15, 2026'))).toEqual([
      {
        Filename: 'a.pdf',
        Borrower: 'HARBOR & FINCH, INC.',
        'Administrative Agent': 'EASTERN TRUST BANK, N.A.',
        'Agreement Date': '2021-06-15',
        'Maturity Date': '2026-06-15',
        'Total Commitment (USD)': '750,000,000',
        'Governing Law': 'the State of New York',
      },
    ])
  })

  const maturities: [string, string | null][] = [
    ['the fifth anniversary of the Closing Date', '2026-06-15'],
    ['the date that is three years after the Effective Date', '2024-06-15'],
    ['the later of (a) May 1, 2025 and (b) the date so extended', '2025-05-01'],
    ['the Termination Date as in effect', null],
  ]
  for (const [meaning, date] of maturities) {
    it(`mature on ${date ?? 'no known day'} when the text says ${meaning}`, () => {
      expect(ask('credit agreements', agreement(meaning))[0]?.['Maturity Date']).toBe(date)
    })
  }

  it('have no maturity date when it depends on another date', () => {
    const text = `${agreement('the first anniversary of the Conversion Date')}\n“Conversion Date” means July 1, 2022.`
    expect(ask('credit agreements', text)[0]?.['Maturity Date']).toBe(null)
  })

  it('are read when the cover names no roles, and when dates are in capitals', () => {
    const text = `CREDIT AGREEMENT\nDATED AS OF 3 MARCH 2020\nBRAMBLE LTD\nThis Agreement is made as of 3 March 2020 between\nBRAMBLE LTD, a company (the “Borrower”), and Fen Bank PLC, as administrative agent.\nIt is governed by and construed in accordance with the laws of England and Wales.`
    expect(ask('credit agreements', text)).toMatchObject([
      {
        Borrower: 'BRAMBLE LTD',
        'Administrative Agent': 'Fen Bank PLC',
        'Agreement Date': '2020-03-03',
        'Governing Law': 'England and Wales',
      },
    ])
  })
})

describe('lenders of a credit agreement', () => {
  const query = 'List every lender, one row per lender'

  it('are those of the schedule, including a name on two lines', () => {
    expect(ask(query, agreement('June 15, 2026')).map(row => row.Lender)).toEqual([
      'Eastern Trust Bank, N.A.',
      'Bank of the Northern Isles, New York Branch',
      'Quarry Street Capital LLC',
    ])
  })

  it('are those who signed when there is no schedule', () => {
    const signatures = `IN WITNESS WHEREOF, the parties
HARBOR & FINCH, INC., as Borrower
By: /s/ A. FINCH
Name: A. Finch
LENDERS
QUARRY STREET
CAPITAL LLC
By: /s/ B. QUARRY
Name: B. Quarry
Title: Director
EASTERN TRUST BANK, N.A.,
as a Lender
By: /s/ C. EAST`
    expect(ask(query, `${cover}\n${body}\n${signatures}`).map(row => row.Lender)).toEqual([
      'QUARRY STREET CAPITAL LLC',
      'EASTERN TRUST BANK, N.A.',
    ])
  })

  it('are null in a single row when none is named', () => {
    expect(ask(query, `${cover}\n${body}`)).toMatchObject([
      { Borrower: 'HARBOR & FINCH, INC.', Lender: null },
    ])
  })
})
