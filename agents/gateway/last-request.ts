import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import { messageText } from '../../src/models/model-answer.ts'
import { removalEvent } from '../context-policies/removals.ts'
import { shorten } from '../context-policies/shorten.ts'
import { shortenToolResults } from '../context-policies/shorten-results.ts'
import { type Conversation, createConversation } from '../conversation.ts'
import { isNamedAs } from './call-in-process.ts'
import type { ModelRequest } from './model-request.ts'
import type { LastCallNotes } from './session.ts'

/**
 * Turns a request of an agent into the last one that the budget covers, as our own loop does. A message of the user
 * demands the answer, tool calls are forbidden, and tool results are shortened until the budget covers the request.
 *
 * @param mostMessageTokens the most local tokens that the messages may have; null for no limit
 */
export function lastRequest(
  request: ModelRequest,
  { answerNow, shortened }: LastCallNotes,
  mostMessageTokens: number | null,
): ModelRequest {
  const { dialect, agentRequest, body, path, session } = request
  const conversation = readConversation(agentRequest.messages, text =>
    session.run.environment.model.countTokens(text),
  )
  conversation.addUser({ text: answerNow, result: null })
  if (mostMessageTokens !== null) {
    const fitted = shortenToolResults({
      ...{ conversation, limitTokens: mostMessageTokens, step: latestStep },
      marker: shortened,
    })
    if (fitted.shortened.length > 0) session.run.emit(removalEvent(shorten.name, fitted.shortened))
  }
  const webTools = session.toolbox.tools.map(tool => tool.name)
  const last = dialect.asLast(body, {
    note: answerNow,
    toolResults: listToolResults(conversation),
    isWebTool: name => webTools.some(tool => isNamedAs(name, tool)),
  })
  return { ...request, body: last, agentRequest: dialect.read(last, path) }
}

const [earlierStep, latestStep] = [0, 1]

/** Converts messages for `shortenToolResults`. Results that the model has not answered yet are shortened last. */
function readConversation(
  messages: readonly BaseMessage[],
  countTokens: (text: string) => number,
): Conversation {
  const conversation = createConversation(countTokens)
  const answered = messages.findLastIndex(message => AIMessage.isInstance(message))
  for (const [index, message] of messages.entries()) {
    const text = messageText(message)
    if (ToolMessage.isInstance(message)) {
      const step = index > answered ? latestStep : earlierStep
      const call = { callId: message.tool_call_id, tool: message.name ?? '', callKey: '', url: null, step }
      conversation.addToolResult({ text, result: { ...call, fullText: text, wrap: text => text } }, false)
    } else if (AIMessage.isInstance(message)) conversation.addAssistant(message)
    else if (message.getType() === 'system') conversation.addSystem(text)
    else conversation.addUser({ text, result: null })
  }
  return conversation
}

/** Returns the new text of each tool result, in order; null for a result that is not changed. */
function listToolResults({ entries }: Conversation): (string | null)[] {
  return entries.flatMap(({ role, parts: [part] }) =>
    role !== 'tool' ? [] : [part!.text === part!.result!.fullText ? null : part!.text],
  )
}
