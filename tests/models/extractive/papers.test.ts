import { describe, expect, it } from 'vitest'
import { answered } from './answered.ts'

const reefs = `Sparse Reefs: Token Pruning for
Recognition at the Edge
Nils Oyelaran1, Beatriz Cordeiro1,2 and Shen Yutong2
1 University of Bergen
2 Harbour Labs
{nils,bea}@example.org
Abstract
We prune tokens.
1 Introduction
Pretraining on raw images made recognition in the dark accurate [2].
Table 1: Accuracy (%)
Method	Params	Tidepool-40	NightShore
Lantern-B [2]	88.2	81.3	82.4
ReefFormer (ours)	27.5	79.9	80.6
1 / 2
References
[1] M. Okafor and B. Lindqvist. Measuring latency on boards. Embedded Notes,
9(4):310-325, 2021.
[2] Ines Valdivia, Tomas Hruby. Lantern: Exposure-Aware Pretraining. Transactions, 14(3):201-219, 2022.
[3] AI Group. A note. arXiv:2010.20111, 2019. URL https://x.example/2099.`

const lantern = `Lantern: Exposure-Aware Pretraining
Ines Valdivia, Tomas Hruby
Institute of Night Vision, Prague
Abstract
References
Albrecht, J. and Lim, H. (1987). What can be
dropped? Vision Letters, 5:1-18.
Rabe, M. N. (1990b). Self-attention again. In Proceedings of the Northern Meeting, 1989. Press.`

const ask = (query: string) =>
  answered(query, ['reefs.pdf', reefs], ['lantern.pdf', lantern]).map(row => Object.values(row))
const title = 'Sparse Reefs: Token Pruning for Recognition at the Edge'

describe('papers', () => {
  it('contain their authors with the affiliations that their marks refer to', () => {
    expect(ask('List every author with the affiliation')).toEqual([
      ['reefs.pdf', 'Nils Oyelaran', 'University of Bergen', title],
      ['reefs.pdf', 'Beatriz Cordeiro', 'University of Bergen', title],
      ['reefs.pdf', 'Shen Yutong', 'Harbour Labs', title],
      ['lantern.pdf', 'Ines Valdivia', 'Institute of Night Vision', 'Lantern: Exposure-Aware Pretraining'],
      ['lantern.pdf', 'Tomas Hruby', 'Institute of Night Vision', 'Lantern: Exposure-Aware Pretraining'],
    ])
  })

  it('contain their references, numbered or by author, each with its year', () => {
    const rows = ask('every work cited in the reference list')
    expect(rows.map(row => row[2])).toEqual(['2021', '2022', '2019', '1987', '1989'])
    expect(rows[0]?.[1]).toBe(
      'M. Okafor and B. Lindqvist. Measuring latency on boards. Embedded Notes, 9(4):310-325, 2021.',
    )
    expect(rows[3]?.[1]).toBe('Albrecht, J. and Lim, H. (1987). What can be dropped? Vision Letters, 5:1-18.')
  })

  it('contain the citing paper, the cited paper and the citing sentence', () => {
    expect(ask('Identify citation relationships')).toEqual([
      [
        'Lantern: Exposure-Aware Pretraining',
        title,
        'Pretraining on raw images made recognition in the dark accurate',
        'background',
      ],
    ])
  })

  it('contain the results of their own methods on the requested benchmark', () => {
    expect(ask('List the accuracy of the methods on Tidepool-40')).toEqual([[title, 'ReefFormer', '79.9']])
  })
})
