import type { PromptLanguage } from '../../src/core/language.ts'

/** What a reader of pages for a goal is told. */
export interface ReaderWords {
  readonly system: string
  /** The heading of the goal. */
  readonly goal: string
}

/** The words for readers of pages, by language (`--goal-reading`). */
export const readerWords: Readonly<Record<PromptLanguage, ReaderWords>> = {
  en: {
    system: [
      'You read a text for a researcher who has a goal. Write what the text says about the goal in at most ten short lines. Keep figures with their units and periods.',
      'Then copy the passages that prove it, word for word and figure for figure. Write each on a line of its own that begins with "> ". Copy whole table rows together with the row of their headings. Change nothing and leave nothing out.',
      'If the text says nothing about the goal, write only: Nothing found.',
    ].join('\n'),
    goal: 'Goal',
  },
  zh: {
    system: [
      '你替一位带着目标的研究者阅读一段文本。先用不超过十行的短句写出文本中与目标有关的内容，数字要保留单位和期间。',
      '然后逐字照抄作为依据的原文，每段单独一行，行首写“> ”。表格要整行照抄，连同表头那一行。不得改动，不得省略。',
      '文本与目标无关时，只写：未找到。',
    ].join('\n'),
    goal: '目标',
  },
}
