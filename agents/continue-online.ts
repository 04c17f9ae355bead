import { AIMessage } from '@langchain/core/messages'
import type { Context } from '../src/core/attempt.ts'
import { promptLanguageOf } from '../src/core/language.ts'
import type { Question } from '../src/core/task.ts'
import { untilAborted } from '../src/system/retry.ts'
import { openAttemptRun } from './attempt-run.ts'
import { createCallEvents } from './call-events.ts'
import { conclude } from './conclude.ts'
import type { Conversation } from './conversation.ts'
import { type CutDocument, cutDocuments } from './cut-documents.ts'
import { asPromptDocument, recordCut } from './offline.ts'
import { loopNotes } from './prompts/notes.ts'
import type { SettingEnvironment, SettingOutcome, TranscriptMessage } from './setting.ts'
import { type AskedPrompt, askFitting, promptSize } from './single-request.ts'
import { tokensOfTools } from './tool-schema.ts'
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
  const notes = loopNotes[promptLanguageOf(question.language)]
  let context: Context | null = null
  const concluded = await conclude(
    run,
    question,
    async () => {
      const toolbox = openToolbox(run, createCallEvents(), notes)
      try {
        const documents = await untilAborted(environment.documents(), run.signal)
        const transcript = (await environment.transcript?.()) ?? []
        const said = transcript.reduce((sum, message) => sum + model.countTokens(textOf(message)), 0)
        const tools = model.nativeTools ? toolbox.tools : []
        const beside = said + tokensOfTools(model, tools)
        const before = { tools, addTo: (conversation: Conversation) => replay(transcript, conversation) }
        const promptOf = (cut: readonly CutDocument[]): AskedPrompt => {
          const { user } = prompts.withDocuments(
            question,
            cut.map(asPromptDocument),
            environment.chainOfThought,
          )
          return { system: '', user: `${notes.missed}\n\n${user}`, before }
        }
        const count = (cut: readonly CutDocument[]): number => beside + promptSize(model, promptOf(cut))
        return await askFitting(run, limit => {
          const cut = cutDocuments(documents, cutStrategy, limit, count)
          context = recordCut(run, cut)
          return { prompt: promptOf(cut.documents), tokens: () => count(cut.documents) }
        })
      } finally {
        await toolbox.close()
      }
    },
    () => ({ draft: null, forcedFinal: false }),
  )
  return { ...concluded, context, retrieval: null, chunks: null }
}

function textOf(message: TranscriptMessage): string {
  return message.role === 'assistant' ? message.text + JSON.stringify(message.calls) : message.text
}

function replay(transcript: readonly TranscriptMessage[], conversation: Conversation): void {
  for (const message of transcript) {
    const { text } = message
    if (message.role === 'system') conversation.addSystem(text)
    else if (message.role === 'user') conversation.addUser({ text, result: null })
    else if (message.role === 'assistant') conversation.addAssistant(assistantMessage(text, message.calls))
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

function assistantMessage(
  content: string,
  calls: Extract<TranscriptMessage, { role: 'assistant' }>['calls'],
): AIMessage {
  const tool_calls = calls.map(({ id, name, args }) => ({
    type: 'tool_call' as const,
    id,
    name,
    args: (args ?? {}) as Record<string, unknown>,
  }))
  return new AIMessage({ content, tool_calls })
}
