import type { PromptLanguage } from '../../src/core/language.ts'
import { contextWords } from './context-words.ts'
import { readerWords } from './reader-words.ts'
import { toolWords } from './tool-words.ts'

const english = {
  /** Tells a model how to read a page for a goal (`--goal-reading`). */
  reader: readerWords.en,
  /** What the system prompt says about the agent's tools. */
  tools: toolWords.en,
  /** Demands the answer in the last turn, for a table. */
  answerNow:
    'Answer now. This is your last turn, and you cannot call any more tools. Write the table as one ```csv block from what you have read. Write null for missing values.',
  /** Demands the answer in the last turn, for a JSON value. */
  answerJsonNow:
    'Answer now. This is your last turn, and you cannot call any more tools. Write the JSON value that follows the schema from what you have read. Write null for missing values, if the schema allows null.',
  noProgress:
    'Your last turns contained no new query and brought no new page or text. Try something that you have not tried yet, or answer from what you have.',
  sameCall:
    'You have made the same call three times with the same result. Try something that you have not tried yet, or answer from what you have.',
  emptyTurn: 'Your last turn was empty. Call a tool or write the answer.',
  reasoningOnly: 'Your last turn contained only reasoning. Call a tool or write the answer.',
  /** Follows an answer that contained only reasoning, in settings with one request. */
  answerInWords:
    'Your last turn contained only reasoning. Write the whole answer now, outside of the reasoning.',
  malformedCall: (name: string, problem: string) =>
    `Your call of ${name} could not be read (${problem}). Write its arguments as one JSON object.`,
  unknownTool: (name: string, tools: string) => `There is no tool named ${name}. The tools are: ${tools}.`,
  refused: {
    searchCalls: 'There are no searches left. Answer from what you have.',
    fetchCalls: 'There are no fetches left. Answer from what you have.',
    usd: 'There is no money left for this call. Answer from what you have.',
  },
  timeIsUp: 'The call was stopped because the time is nearly up.',
  /** Precedes documents that the agent missed, added to its finished conversation (control `oracle-inject`). */
  missed:
    'The task follows once more, with documents that you have not read yet. You cannot call any more tools. Write the whole answer again, from what you read before and from these documents.',
  shortened: (shownChars: number, chars: number) =>
    `[shortened: ${shownChars} of ${chars} characters kept; call the tool again to read the rest]`,
  /** Replaces a result that a context policy removed. */
  removed: (call: string) => `[removed: the result of ${call}; make the call again to read it]`,
  /** Asks for the state note of the context policy `summarise`. */
  writeStateNote: [
    'The conversation has become too long. Write a state note that replaces everything so far. Afterwards you will see only the question, your note and your latest turn. Do not call a tool and do not answer yet. Write:',
    '- every figure and text that the answer needs, exactly as printed, with its document and address,',
    '- which documents you have found, opened and read, with their addresses,',
    '- which values are still missing, and what to try next.',
  ].join('\n'),
  /** The state note in the conversation. */
  stateNote: (note: string) => `Your state note, which replaces your earlier turns:\n${note}`,
  /** The day of the run, such as `2026-11-23`. */
  today: (date: string) => `Today is ${date}.`,
  /** What the prompt says about the context policy. */
  context: contextWords.en,
  protocol: (tools: string) =>
    [
      'You have these tools:',
      tools,
      'To call a tool, write a JSON object between these tags. One turn may contain several calls. Stop after the last one:',
      '<tool_call>',
      '{"name": "the tool", "arguments": {"an argument": "its value"}}',
      '</tool_call>',
      'The next message contains the results between <tool_result> tags. Never write these tags yourself.',
      'When you are done, write the whole answer between <answer> and </answer>, without a tool call in the same turn.',
    ].join('\n'),
}

/** The notes that the agent loop adds to the conversation. The loop fills their placeholders. */
export type LoopNotes = typeof english

const chinese: LoopNotes = {
  reader: readerWords.zh,
  tools: toolWords.zh,
  answerNow:
    '请立即作答：这是最后一轮，不能再调用任何工具。请根据已经读到的内容，用一个 ```csv 代码块给出表格，缺少的填 null。',
  answerJsonNow:
    '请立即作答：这是最后一轮，不能再调用任何工具。请根据已经读到的内容给出符合 schema 的 JSON；缺少的内容在 schema 允许时填 null。',
  noProgress: '最近几轮没有新的查询、新的网页或新的内容。请换一种没有试过的做法，或者根据已有内容作答。',
  sameCall: '同一个调用已经做了三次，结果相同。请换一种没有试过的做法，或者根据已有内容作答。',
  emptyTurn: '上一轮没有内容。请调用工具，或者给出答案。',
  reasoningOnly: '上一轮只有思考。请调用工具，或者把答案写出来。',
  answerInWords: '上一轮只有思考。请在思考之外写出完整的答案。',
  malformedCall: (name, problem) => `对 ${name} 的调用无法读取（${problem}）。参数须写成一个 JSON 对象。`,
  unknownTool: (name, tools) => `没有名为 ${name} 的工具。可用的工具：${tools}。`,
  refused: {
    searchCalls: '搜索次数已用完（no searches left）：请根据已有内容作答',
    fetchCalls: '打开网页的次数已用完（no fetches left）：请根据已有内容作答',
    usd: '这次调用的费用已不够（no money left）：请根据已有内容作答',
  },
  missed:
    '下面是你尚未读到的文件，并附上原任务。不能再调用任何工具。请根据之前读到的内容和这些文件，重新给出完整的答案。',
  timeIsUp: '已停止：时间即将用完',
  shortened: (shownChars, chars) =>
    `[已缩短：保留 ${chars} 个字符中的 ${shownChars} 个；需要其余部分时请再次调用工具]`,
  removed: call => `[已移除：${call} 的结果；需要再读时请再次做同样的调用]`,
  writeStateNote: [
    '对话已经过长。请写一份进度笔记，代替到目前为止的全部内容：之后你只能看到问题、这份笔记和最近一轮。现在不要调用工具，也不要作答。请写明：',
    '- 答案需要的每个数值和文字，照原文书写，并注明文档和网址；',
    '- 已经找到、打开和读过的文档及其网址；',
    '- 还缺少哪些内容，下一步做什么。',
  ].join('\n'),
  stateNote: note => `你的进度笔记（代替此前各轮）：\n${note}`,
  today: date => `今天是 ${date}。`,
  context: contextWords.zh,
  protocol: tools =>
    [
      '你可以使用以下工具：',
      tools,
      '调用时，在下面的标签之间写一个 JSON 对象，一轮中可以写多个，写完即停：',
      '<tool_call>',
      '{"name": "工具名", "arguments": {"参数名": "值"}}',
      '</tool_call>',
      '结果会在下一条消息的 <tool_result> 标签之间给出，不要自己写这种标签。',
      '完成后，把完整答案写在 <answer> 和 </answer> 之间，同一轮不要再调用工具。',
    ].join('\n'),
}

/** The notes by language. */
export const loopNotes: Readonly<Record<PromptLanguage, LoopNotes>> = { en: english, zh: chinese }

/** Returns every note as plain text with named placeholders, for the hash of the prompts. */
export function noteTexts(): string[] {
  return Object.values(loopNotes).flatMap(notes => Object.values(notes).flatMap(listTexts))
}

function listTexts(note: LoopNotes[keyof LoopNotes]): string[] {
  if (typeof note === 'string') return [note]
  if (typeof note !== 'function') return Object.values(note).flatMap(listTexts)
  return [(note as (...values: string[]) => string)('FIRST', 'SECOND')]
}
