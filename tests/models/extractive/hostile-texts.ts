/** Texts that, when repeated, take a careless pattern extremely long to match. */
export const hostilePieces = [
  ' ',
  '\n',
  '1,234 ',
  'Aaa Bbb, ',
  'AAA\n',
  '[1]\n',
  'SCHEDULE 1 Commitment\nEXPERIENCE\nEngineer - Aaa 2019 - 2020\n',
  'References\n[1] Aaa\nWe use it [1]. 被告人张犯《刑法》第一条、',
]

/** One question for each kind of table that the rules know. */
export const hostileQuestions = [
  'List every lender, one row per lender',
  'Summarize the credit agreements',
  'Identify citation relationships',
  'every work cited in the reference list',
  'List every author with the affiliation',
  'the accuracy of the papers on Bench-1',
  'List every job of each candidate',
  'List every ranked result of the championship',
  'Assess these companies.',
  '请整理各被告人的判决结果。',
  '找出相关联的法律条文。',
]
