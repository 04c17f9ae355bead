import type { LossClass } from './report-rows.ts'

/** The meaning of each class of lost items, as printed below the table. */
export const lossMeanings: Readonly<Record<LossClass, string>> = {
  budget: 'a budget ended the attempt before it had an answer',
  unreadable: 'the answer could not be read',
  invented: 'the gold has no value, but the answer has one',
  'not-surfaced': 'the agent did not find its document',
  'not-opened': 'the agent did not open its document',
  'not-parsed': 'the agent opened its document but got no text from it',
  'not-retrieved': 'no retrieved chunk contains it',
  'not-in-view': 'the model was not shown that part of its document',
  unread: 'the gold value was not found, and Tablehunt could not read the document or some of its pages',
  'cut-from-window':
    'the model was shown the value, but it was removed from the context window before the answer',
  wrong:
    'the model was shown the value (or asked closed-book), but the answer has another value or only part of it',
  'missed-row':
    'the answer has no row for it, although its document was shown (or the model was asked closed-book)',
  'no-evidence': 'the gold value was not found in any document',
  'not-in-answer': 'the model was shown the value (or asked closed-book), but the answer lacks it',
  unknown: 'the class is unknown, because the evidence or the documents of the task are unknown',
}
