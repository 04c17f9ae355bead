import { ProviderError } from '../../src/core/errors.ts'
import { smallerCap } from '../../src/models/call-limits.ts'
import { nonEmptyText, stoppedEnd } from '../conclude.ts'
import type { Conversation, ConversationEntry } from '../conversation.ts'
import { planTurn } from '../final-reserve.ts'
import { callModel } from '../model-call.ts'
import { overrunEnd } from '../termination.ts'
import { type LoopWindow, maxMessageTokens, shareOfWindow, tokensForAnswer } from '../window.ts'
import { type ContextPolicy, type Prepared, ready, windowIsFull } from './context-policy.ts'
import { recordRemoved } from './removals.ts'
import { shortenTo } from './shorten.ts'
import { shortenToolResults } from './shorten-results.ts'

/** The share of the context window at which the model writes a state note. */
const noteShare = 0.7

/**
 * Lets the model write a state note when the conversation fills a share of the context window. The note replaces all
 * turns except the latest one. The request for the note is charged like any other request.
 */
export const summarise: ContextPolicy = {
  name: 'summarise',
  notice: words => words.summarise,
  async prepare(loop) {
    const limit = shareOfWindow(loop, noteShare)
    return limit === null || loop.conversation.tokens() <= limit ? ready : await makeRoom(loop)
  },
  fitLast: (loop, limitTokens) => shortenTo(loop, summarise.name, limitTokens),
  recover: makeRoom,
}

async function makeRoom(loop: LoopWindow): Promise<Prepared> {
  const latest = startOfLatestTurn(loop)
  if (latest !== null) {
    const reply = await askForNote(loop, latest)
    if (reply.kind !== 'noted') return reply
    const { results, messages } = loop.conversation.replaceTurnsBefore(
      latest,
      loop.notes.stateNote(reply.text),
    )
    const removed = results.map(result => ({ result, keptChars: 0 }))
    recordRemoved(loop, summarise.name, removed, messages)
  }
  // The results of the latest turn alone may be too long.
  const room = maxMessageTokens(loop, false)
  return room === null || shortenTo(loop, summarise.name, room) ? ready : windowIsFull
}

/** Returns the message that begins the latest turn; null when no turn precedes it. */
function startOfLatestTurn({ conversation: { entries } }: LoopWindow): ConversationEntry | null {
  const turns = entries.filter(({ role, parts }) => role === 'assistant' && !parts[0]!.isQuestion)
  return turns.length < 2 ? null : turns.at(-1)!
}

type Noted = Exclude<Prepared, { kind: 'ready' }> | { readonly kind: 'noted'; readonly text: string }

/**
 * Asks the model for the note. The request contains everything before the latest turn. The model has answered those
 * messages before, so they fit even when the context window is unknown. When the instruction makes the request too long,
 * tool results are shortened by its length.
 */
async function askForNote(loop: LoopWindow, latest: ConversationEntry): Promise<Noted> {
  const conversation = loop.conversation.copyBefore(latest)
  const limitTokens = conversation.tokens()
  conversation.addUser({ text: loop.notes.writeStateNote, result: null })
  const reply = await requestNote(loop, conversation)
  if (reply !== null) return reply
  const { answeredStep: step, notes } = loop
  const { fits } = shortenToolResults({ conversation, limitTokens, step, marker: notes.shortened })
  const laterReply = fits ? await requestNote(loop, conversation) : null
  if (laterReply !== null) return laterReply
  loop.provenWindow = Math.floor(conversation.tokens() / 2)
  return windowIsFull
}

/** Sends the request for the note. Returns null when the provider refused it as too long. */
async function requestNote(loop: LoopWindow, conversation: Conversation): Promise<Noted | null> {
  const { run, tools, toolTokens } = loop
  const plan = planTurn(run.meter, conversation.tokens() + toolTokens)
  if (plan.kind === 'final') return { kind: 'answer-now', reason: plan.reason }
  const maxOutputTokens = smallerCap(plan.maxOutputTokens, tokensForAnswer(loop))
  try {
    const { answer, overrun } = await callModel(run, conversation, {
      tools,
      toolTokens,
      maxOutputTokens,
      final: true,
      side: 'state-note',
    })
    run.step += 1
    const end = stoppedEnd(answer) ?? (overrun === null ? null : overrunEnd(overrun))
    if (end !== null) return { kind: 'ended', end }
    const text = nonEmptyText(answer.text)
    return text === null ? windowIsFull : { kind: 'noted', text }
  } catch (error) {
    if (!(error instanceof ProviderError) || error.reason !== 'context-window') throw error
    run.step += 1
    return null
  }
}
