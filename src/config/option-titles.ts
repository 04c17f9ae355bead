/** The titles of the groups of options in --help, in their order. */
export const optionTitles: Readonly<Record<string, string>> = {
  what: 'What to run',
  model: 'Model',
  scoring: 'Scoring',
  web: 'Web',
  online: 'The online setting',
  budgets: 'Budgets of one attempt, and of the whole run',
  documents: 'Documents in prompts',
  rag: 'RAG',
  running: 'Running',
}
