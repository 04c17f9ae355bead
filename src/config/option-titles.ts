/** What the groups of options are called in --help, in the order in which they stand there. */
export const optionTitles: Readonly<Record<string, string>> = {
  what: 'What to run',
  model: 'Model',
  scoring: 'Scoring',
  web: 'Web',
  budgets: 'Budgets of one attempt, and of the whole run',
  documents: 'Documents in prompts',
  rag: 'RAG',
  running: 'Running',
}
