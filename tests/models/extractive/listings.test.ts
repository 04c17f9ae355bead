import { describe, expect, it } from 'vitest'
import { answered } from './answered.ts'

const results = (text: string) =>
  answered('List every ranked result of the championship', ['r.pdf', text]).map(row => Object.values(row))

describe('championship results', () => {
  it('are read with rank, a time on the next line, and athletes who did not start', () => {
    const text = `Event No. :12	WOMEN	100m	Butterfly	WR	1:02.40
Age Group :60-64	CR	1:10.11
Rank	HT/LN	Name	Fed.	YB	Team	Time
1	2/4	Ana María DE LA CRUZ	ESP	1961	CN Bahía
1:15.20	( 0.81)
1/8	Ruth O'NEILL	IRL	1960	Cork Masters 7
DNS`
    expect(results(text)).toEqual([
      ['WOMEN 100m Butterfly', '60-64', 'Ana María DE LA CRUZ', '1', 'ESP', '1961', 'CN Bahía', '1:15.20'],
      ['WOMEN 100m Butterfly', '60-64', "Ruth O'NEILL", null, 'IRL', '1960', 'Cork Masters 7', 'DNS'],
    ])
  })

  it('are read with the time on the same line and blanks between cells', () => {
    const text = 'MEN 50m Freestyle\nAge Group :30-34\n3 1/2 John SMITH GBR 1990 City Sharks 27.31'
    expect(results(text)).toEqual([
      ['MEN 50m Freestyle', '30-34', 'John SMITH', '3', 'GBR', '1990', 'City Sharks', '27.31'],
    ])
  })
})

describe('jobs of a resume', () => {
  const jobs = (text: string) =>
    answered('List every job of each candidate', ['cv.pdf', text]).map(row => Object.values(row).slice(1))

  it('are read with the title above employer, place and dates', () => {
    const text = `Dr. Mara Lindt
Oslo, Norway
WORK EXPERIENCE
Senior Data Engineer
Fjord Analytics | Oslo | 2019 – Present
• Built pipelines in 2020 – 2021.
Junior Developer
Nordlys Software, Platform Division for
Retail | Bergen | 2015-2019
EDUCATION
University of Oslo | 2010-2015`
    expect(jobs(text)).toEqual([
      ['Fjord Analytics', 'Mara Lindt', 'Senior Data Engineer'],
      ['Nordlys Software, Platform Division for Retail', 'Mara Lindt', 'Junior Developer'],
    ])
  })

  it('are read with the employer above title and dates', () => {
    const text = `Sam Okoro
Professional Experience
Redmoor Partners LLP
Senior Associate	March 2018 - June 2023
Drafted contracts.
Hale & Co
Paralegal Assistant (2014 to 2018)
Skills`
    expect(jobs(text)).toEqual([
      ['Redmoor Partners LLP', 'Sam Okoro', 'Senior Associate'],
      ['Hale & Co', 'Sam Okoro', 'Paralegal Assistant'],
    ])
  })

  it('are read from a list below a heading that names the title', () => {
    const text = `Ines Roca
ACADEMIC APPOINTMENTS
Visiting Professorships:
• Delft University, Department of Water (Spring 2010)
• Keio University (2012-2013)
EDUCATION`
    expect(jobs(text)).toEqual([
      ['Delft University, Department of Water', 'Ines Roca', 'Visiting Professor'],
      ['Keio University', 'Ines Roca', 'Visiting Professor'],
    ])
  })
})
