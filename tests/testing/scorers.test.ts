import type { JsonGold, TableGold, TextGold } from '../../src/core/gold.ts'
import { abilities } from '../../tasks/struc-bench/abilities.ts'
import { testEveryEntry } from './every-entry.ts'

const towns: TableGold = {
  kind: 'table',
  keyColumns: ['town'],
  targetColumns: ['beds', 'river'],
  numericColumns: ['beds'],
  rows: [
    { town: 'Ardmore', beds: 120, river: 'Esk' },
    { town: 'Belford', beds: 45, river: null },
  ],
}
const table = { gold: towns, wrongAnswer: '```csv\ntown,beds,x\nArdmore,120,1\nCarwin,2,2\n```' }

const loan: JsonGold = {
  kind: 'json',
  schemaName: 'loan',
  schema: {
    type: 'object',
    properties: {
      borrower: { type: 'string', evaluation_config: 'string_fuzzy' },
      amount: { type: 'number', nullable: true },
      lenders: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
    },
  },
  value: { borrower: 'Harbor Bank', amount: null, lenders: [{ name: 'A' }, { name: 'B' }] },
  text: '{"borrower": "Harbor Bank", "amount": null, "lenders": [{"name": "A"}, {"name": "B"}]}',
}
const json = {
  gold: loan,
  wrongAnswer: '{"borrower": "Harbor Bnak", "amount": 1, "lenders": [{"name": "B"}, {"name": "C"}]}',
}

const list: TextGold = { kind: 'text', references: ['Seine\nLoire'], items: ['Seine', 'Loire'] }
const texts = [
  { gold: { kind: 'text', references: ['Paris'] }, wrongAnswer: 'Rome' },
  { gold: list, wrongAnswer: 'Seine\nThames' },
] as const
const columns = { preprocess: ['norm_str'], metric: ['exact_match'] }
const wide = {
  gold: {
    ...towns,
    scoring: {
      evaluation: {
        required: ['town', 'beds', 'river'],
        unique_columns: ['town'],
        eval_pipeline: { town: columns, beds: columns, river: columns },
      },
      goldCsv: 'Town,Beds,River\nArdmore,120,Esk\nBelford,45,\n',
      entity: ['Ardmore'],
    },
  },
  wrongAnswer: '| town | beds | river |\n|---|---|---|\n| Ardmore | 120 | Tay |\n| Carwin | 2 | Esk |\n',
}

/** Whether the two texts that a prompt of a judge quotes are the same. */
function isSame(prompt: string, quoted: RegExp): boolean {
  const [first, second] = [...prompt.matchAll(quoted)].map(hit => hit[1])
  return first === second
}
const verdict = (prompt: string): string =>
  `Judge: ${isSame(prompt, /<re(?:ference|sponse)>\n(.*?)\n<\/re/gs) ? 'True' : 'False'}`

const htmlTable = (cell: string): string =>
  `<table><tr><th>Team</th><th>Wins</th></tr><tr><td>A</td><td>${cell}</td></tr></table>`
const made = { gold: { kind: 'text', references: [htmlTable('1')] }, wrongAnswer: htmlTable('22') } as const

/** Rates 10 when the two tables in a prompt are the same, else 0. */
const rateTables = (prompt: string): string => {
  const points = isSame(prompt, /```\n([^`]*?)\n```/g) ? 10 : 0
  return `\`\`\`json\n{"content_similarity": ${points}, "structural_similarity": ${points}}\n\`\`\``
}
const rateAbilities = (prompt: string): string => {
  const points = isSame(prompt, /<(?:reference|table)>\n(.*?)\n<\/(?:reference|table)>/gs) ? 10 : 0
  return JSON.stringify(Object.fromEntries(abilities.map(({ name }) => [name, points])))
}

/** Says yes when the response contains the reference. */
function judgeOfAnswers(prompt: string): string {
  const partOf = (tag: string) => prompt.split(`<${tag}>\n`)[1]?.split(`\n</${tag}>`)[0] ?? ''
  return `correct: ${partOf('response').includes(partOf('reference')) ? 'yes' : 'no'}\nconfidence: 100`
}

testEveryEntry('scorers', {
  'browsecomp-plus': { ...texts[0], judge: judgeOfAnswers },
  'struc-bench': made,
  'struc-bench-p-score': { ...made, judge: rateTables },
  'struc-bench-abilities': { ...made, judge: rateAbilities },
  aoe: table,
  paper: table,
  strict: table,
  'extract-bench': json,
  longtablebench: [
    texts[0],
    { gold: { ...list, references: ["['Seine', 'Loire']"] }, wrongAnswer: "['Seine', 'Thames']" },
  ],
  widesearch: wide,
  'widesearch-fixed': wide,
  deepwidesearch: wide,
  'answer-f1': texts,
  'rouge-l': texts,
  qa: texts,
  structext: texts[0],
  'judge-accuracy': { ...texts[0], judge: verdict },
  fanoutqa: texts,
  'fanoutqa-table': table,
  gisa: [
    {
      gold: { ...list, scoring: { type: 'list', csv: 'Seine\nLoire\n' } },
      wrongAnswer: 'River\nSeine\nThames',
    },
    { gold: { ...texts[0].gold, scoring: { type: 'item', csv: 'Paris\n' } }, wrongAnswer: 'City\nRome' },
  ],
  'gisa-table': {
    gold: { ...towns, scoring: { type: 'table', csv: 'town,beds,river\nArdmore,120,Esk\nBelford,45,\n' } },
    wrongAnswer: '```tsv\ntown\tbeds\nArdmore\t120\nCarwin\t2\n```',
  },
})
