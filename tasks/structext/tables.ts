import type {
  ArmsLayout,
  BenchmarkTables,
  CorrelationsLayout,
  FacetCurveLayout,
} from '../../src/core/table-layout.ts'

const columns = ['structextAccuracy', 'judgeAccuracy']

const makeFacetLayout = (facet: string, title: string, source: string): ArmsLayout => ({
  kind: 'arms',
  id: `structext-${facet}`,
  title,
  source,
  by: facet,
  columns,
  rows: { kind: 'arms' },
  remark:
    "Each kind of prompt is an arm. StrucText accuracy is the published code's: ROUGE-L where it is at least 0.75, else 0. The paper's Table 1 has the judge's accuracy, its Table 9 ROUGE-L.",
})

const makeCurveLayout = (facet: string, name: string, remark: string): FacetCurveLayout => ({
  kind: 'facet-curve',
  id: `structext-${facet}`,
  by: facet,
  name,
  remark,
  source: 'StrucText-Eval, Figures 4 and 5',
})

const makeCorrelationsLayout = (facet: string): CorrelationsLayout => ({
  kind: 'correlations',
  id: `structext-correlations-${facet}`,
  by: facet,
  title: `Correlation with the size of the text, by ${facet}`,
  source: 'StrucText-Eval, Figures 4 and 5',
  columns: [
    { head: 'characters', facet: 'characters' },
    { head: 'nodes', facet: 'nodes' },
  ],
})

/** The tables and figures of the StrucText-Eval paper. */
export const structextTables: BenchmarkTables = {
  layouts: [
    makeFacetLayout('language', 'Prompts by language', 'StrucText-Eval, Tables 1 and 9'),
    makeFacetLayout('task', 'Prompts by task', 'StrucText-Eval, Tables 1 and 9'),
    makeFacetLayout('depth', 'Prompts by depth', 'StrucText-Eval, Figures 4 and 5'),
    makeFacetLayout('width', 'Prompts by width', 'StrucText-Eval, Figures 4 and 5'),
    makeFacetLayout('shots', 'Prompts by number of examples', 'StrucText-Eval, Table 1'),
    makeCurveLayout('depth', 'depth', 'Depth: levels below the root, or rows of a csv table.'),
    makeCurveLayout('width', 'width', 'Width: children of each node. A csv table has none.'),
    makeCurveLayout('nodes', 'number of nodes', 'Nodes: of the tree, or rows of a csv table.'),
    makeCurveLayout(
      'characters',
      'number of characters',
      'Characters: of the text that the question is about.',
    ),
    makeCorrelationsLayout('language'),
    makeCorrelationsLayout('task'),
  ],
}
