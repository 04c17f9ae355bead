import { createTableScorer } from '../../src/score/table/table-scorer.ts'

/** AOE's published scorer. */
export const aoeScorer = createTableScorer(
  {
    summary: "AOE's published scorer: key match or similarity of 90, numbers within 1e-5, texts equal",
    forgives:
      'only commas and rounding in number columns (€14,200, 14200 EUR and 14.2k are wrong against 14200; 12.36% is 0.1236), and similar keys, even of another year or code',
  },
  async tables => await (await import('./compare-as-published.ts')).compareAsPublished(tables),
)

/** The procedure of the AOE paper, which differs from the published code. */
export const paperScorer = createTableScorer(
  {
    summary:
      "the AOE paper's scorer: columns aligned, keys matched among the free ones, cells rated 0..1 by five rules",
    forgives:
      'partly right texts and lists (with a judge), and typing errors in keys whose figures are the same; in number columns only commas and rounding within 1e-5',
  },
  async tables => await (await import('./compare-as-paper.ts')).compareAsPaper(tables),
)
