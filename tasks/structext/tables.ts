import type { ArmsLayout, BenchmarkTables } from '../../src/core/table-layout.ts'

const columns = [
  { head: 'ROUGE-L accuracy', metric: 'structextAccuracy' },
  { head: 'judge', metric: 'judgeAccuracy' },
]

const by = (facet: string, title: string, source: string): ArmsLayout => ({
  ...{ kind: 'arms', id: `structext-${facet}`, title, source, by: facet, columns },
  rows: { kind: 'arms' },
  remark:
    "Each kind of prompt is an arm. ROUGE-L accuracy is the published code's: ROUGE-L where it is at least 0.75, else 0. The paper's Table 1 has the judge's accuracy, its Table 9 ROUGE-L.",
})

/** The tables of the StrucText-Eval paper, and the numbers of its figures by depth and width. */
export const structextTables: BenchmarkTables = {
  layouts: [
    by('language', 'Prompts by language', 'StrucText-Eval, Tables 1 and 9'),
    by('task', 'Prompts by task', 'StrucText-Eval, Tables 1 and 9'),
    by('depth', 'Prompts by depth', 'StrucText-Eval, Figures 4 and 5'),
    by('width', 'Prompts by width', 'StrucText-Eval, Figures 4 and 5'),
    by('shots', 'Prompts by number of examples', 'StrucText-Eval, Table 1'),
  ],
}
