import type { ArmsLayout, BenchmarkTables, RadarLayout } from '../../src/core/table-layout.ts'

const table2: ArmsLayout = {
  kind: 'arms',
  id: 'struc-bench-table2',
  title: 'Content and format by form of the table (Struc-Bench, Table 2)',
  source: 'Struc-Bench, Table 2',
  by: 'format',
  rows: { kind: 'arms' },
  columns: ['strucBenchContent', 'strucBenchFormat', 'pScoreContent', 'pScoreStructure'],
  withoutMean: true,
  remark:
    'The published sums have different ranges by form: text 2 and 4, HTML 2 and 3, LaTeX 3 and 4 (at most 3 for a gold without a position). They cannot be compared between forms.',
}

const figure3: RadarLayout = {
  kind: 'radar',
  id: 'struc-bench-figure3',
  title: 'Ability map (Struc-Bench, Figure 3)',
  source: 'Struc-Bench, Figure 3',
  scorers: ['struc-bench-abilities'],
  axes: [
    'ability.coverage',
    'ability.formattingReasoning',
    'ability.comprehension',
    'ability.pragmatics',
    'ability.hallucination',
  ],
  remark:
    "A judge model gave these ratings. The ratings of the paper's figure come from people, and the paper prints no numbers, so the two cannot be compared.",
}

/** The tables of the Struc-Bench paper, and its ability map. */
export const strucBenchTables: BenchmarkTables = { layouts: [table2, figure3] }
