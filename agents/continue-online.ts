import { AIMessage } from '@langchain/core/messages'
import type { Context } from '../src/core/attempt.ts'
import { choosePromptLanguage } from '../src/core/language.ts'
import type { Question } from '../src/core/task.ts'
import { messageText, reasoningText } from '../src/models/model-answer.ts'
import { tokensOfTools } from '../src/models/tool-schema.ts'
import { untilAborted } from '../src/system/retry.ts'
import { openAttemptRun } from './attempt-run.ts'
import { createCallEvents } from './call-events.ts'
import { conclude } from './conclude.ts'
import type { Conversation } from './conversation.ts'
import { type CutDocument, cutDocuments } from './cut-documents.ts'
import { chooseKeptReasoning, withoutReasoning } from './kept-reasoning.ts'
import { asPromptDocument, recordCut } from './offline.ts'
import { loopNotes } from './prompts/notes.ts'
import type { AssistantTurn, SettingEnvironment, SettingOutcome, TranscriptMessage } from './setting.ts'
import { type AskedPrompt, askFitting, promptSize } from './single-request.ts'
import { openToolbox } from './toolbox.ts'

/**
 * Continues a finished online conversation: adds the documents that the agent missed and requests one more answer
 * (control `oracle-inject`). Documents that do not fit are cut as in the setting offline.
 */
export async function continueOnline(
  question: Question,
  environment: SettingEnvironment,
): Promise<SettingOutcome> {
  const run = openAttemptRun(environment)
  const { model, prompts, cutStrategy } = environment
  const notes = loopNotes[choosePromptLanguage(question.language)]
  let context: Context | null = null
  const concluded = await conclude(run, question, async () => {
    const toolbox = openToolbox(run, createCallEvents(), notes)
    try {
      const documents = await untilAborted(environment.documents(), run.signal)
      const recorded = (await environment.transcript?.()) ?? []
      // The documents start a new question, so reasoning is kept only when it is always kept.
      const transcript =
        chooseKeptReasoning(environment) === 'always' ? recorded : recorded.map(withoutItsReasoning)
      const transcriptTokens = transcript.reduce(
        (sum, message) => sum + model.countTokens(writeMessage(message)),
        0,
      )
      const tools = model.nativeTools ? toolbox.tools : []
      const otherTokens = transcriptTokens + tokensOfTools(model, tools)
      const opening = { tools, addTo: (conversation: Conversation) => replay(transcript, conversation) }
      const writePrompt = (cut: readonly CutDocument[]): AskedPrompt => {
        const { user } = prompts.withDocuments(
          question,
          cut.map(asPromptDocument),
          environment.chainOfThought,
        )
        return { system: '', user: `${notes.missed}\n\n${user}`, before: opening }
      }
      const count = (cut: readonly CutDocument[]): number => otherTokens + promptSize(model, writePrompt(cut))
      return await askFitting(run, choosePromptLanguage(question.language), limit => {
        const cut = cutDocuments(documents, cutStrategy, limit, count)
        context = recordCut(run, cut)
        return { prompt: writePrompt(cut.documents), tokens: () => count(cut.documents) }
      })
    } finally {
      await toolbox.close()
    }
  })
  return { ...concluded, context, retrieval: null, chunks: null }
}

function writeMessage(message: TranscriptMessage): string {
  if (message.role !== 'assistant') return message.text
  return message.text + JSON.stringify(message.calls) + reasoningText(assistantMessage(message))
}

function replay(transcript: readonly TranscriptMessage[], conversation: Conversation): void {
  for (const message of transcript) {
    const { text } = message
    if (message.role === 'system') conversation.addSystem(text)
    else if (message.role === 'user') conversation.addUser({ text, result: null })
    else if (message.role === 'assistant') conversation.addAssistant(assistantMessage(message))
    else {
      const { callId, tool } = message
      const wrap = (shown: string): string => shown
      conversation.addToolResult(
        { text, result: { callId, tool, callKey: callId, url: null, step: 0, fullText: text, wrap } },
        false,
      )
    }
  }
}

function assistantMessage({ text, calls, reasoning = {} }: AssistantTurn): AIMessage {
  const tool_calls = calls.map(({ id, name, args }) => ({
    type: 'tool_call' as const,
    id,
    name,
    args: (args ?? {}) as Record<string, unknown>,
  }))
  return new AIMessage({ content: text, tool_calls, additional_kwargs: reasoning })
}

function withoutItsReasoning(message: TranscriptMessage): TranscriptMessage {
  if (message.role !== 'assistant') return message
  const { reasoning: _reasoning, ...plain } = message
  return { ...plain, text: messageText(withoutReasoning(assistantMessage(message))) }
}
