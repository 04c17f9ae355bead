import type { AIMessage } from '@langchain/core/messages'
import { HumanMessage, SystemMessage } from '@langchain/core/messages'
import { storedText } from '../logs/blobs.ts'
import { BudgetRefusedError, ProviderError } from '../src/core/errors.ts'
import { smallerCap } from '../src/models/call-limits.ts'
import { readModelAnswer } from '../src/models/model-answer.ts'
import { defaultRetry, untilAborted, withRetry } from '../src/system/retry.ts'
import type { GoalReader, GoalRequest } from '../tools/tool.ts'
import type { AttemptRun } from './attempt-run.ts'
import type { ReserveRequest } from './budget.ts'
import type { CallEvents } from './call-events.ts'
import { planTurn } from './final-reserve.ts'
import { isCutOff, localOutputTokens, settleUnanswered } from './model-call.ts'
import type { ReaderWords } from './prompts/reader-words.ts'
import type { GoalReaderModel } from './setting.ts'

/** The most tokens of a reader's answer: a summary and some quotes. */
const maxReaderTokens = 2_000

/**
 * Creates the page reader of one attempt. Its tokens, calls and dollars are charged to the attempt. When its budget or
 * its provider fails, the agent gets the page itself.
 */
export function createGoalReader(
  run: AttemptRun,
  reader: GoalReaderModel,
  events: CallEvents,
  words: ReaderWords,
): GoalReader {
  return async request => {
    const startedAt = run.environment.clock.now()
    const answered = await tryReading({ run, reader, words, events }, request)
    const wallMs = Math.max(0, Math.round(run.environment.clock.now() - startedAt))
    const { answer, usage, problem } = answered
    events.file(() =>
      run.emit({
        type: 'page-read-for-goal',
        model: reader.name,
        url: request.url,
        goal: request.goal,
        wallMs,
        usage,
        answer: storedText(answer ?? '', { put: run.environment.keepText }),
        ...(problem === null ? {} : { problem }),
      }),
    )
    return problem === null ? { answer: answer ?? '' } : { problem }
  }
}

interface ReaderCall {
  readonly run: AttemptRun
  readonly reader: GoalReaderModel
  readonly words: ReaderWords
  readonly events: CallEvents
}

type ReaderAnswer = ReturnType<typeof readModelAnswer>

interface ReadingOutcome {
  readonly answer: string | null
  readonly usage: ReaderAnswer['usage']
  readonly problem: string | null
}

async function tryReading(readerCall: ReaderCall, request: GoalRequest): Promise<ReadingOutcome> {
  const { run } = readerCall
  try {
    const { text, usage } = await askReader(readerCall, request)
    if (text.trim() === '') return { answer: null, usage, problem: 'The reader wrote nothing.' }
    return { answer: text, usage, problem: null }
  } catch (error) {
    if (run.toolSignal.aborted) throw error
    if (error instanceof BudgetRefusedError)
      return { answer: null, usage: null, problem: 'The budget does not cover the reader.' }
    if (error instanceof ProviderError)
      return { answer: null, usage: null, problem: `The reader failed (${error.reason}).` }
    throw error
  }
}

async function askReader(
  { run, reader, words, events }: ReaderCall,
  request: GoalRequest,
): Promise<ReaderAnswer> {
  const { clock } = run.environment
  const { system, goal } = words
  const user = `# ${goal}\n${request.goal}\n\n<text>\n${request.text}\n</text>\n\n# ${goal}\n${request.goal}`
  const reserve = planReservation(run, reader, `${system}\n${user}`)
  return await withRetry(
    async () => await sendToReader(run, reader, reserve, [new SystemMessage(system), new HumanMessage(user)]),
    {
      ...defaultRetry,
      clock,
      signal: run.toolSignal,
      onRetry(error, retry, waitMs) {
        if (!run.meter.affords(reserve)) throw error
        const reason = error instanceof ProviderError ? error.reason : error.message
        run.usage.waits(clock.now(), waitMs)
        events.file(() => run.emit({ type: 'provider-retried', what: 'reader call', reason, retry, waitMs }))
      },
    },
  )
}

/**
 * Plans the call so that the agent can still answer afterwards.
 *
 * @throws BudgetRefusedError when it could not
 */
function planReservation(
  { meter, lastInputTokens }: AttemptRun,
  reader: GoalReaderModel,
  text: string,
): ReserveRequest {
  const localInputTokens = reader.model.countTokens(text)
  const plan = planTurn(meter, lastInputTokens + localInputTokens)
  if (plan.kind === 'final')
    throw new BudgetRefusedError('tokens', 'the rest of the budget is reserved for the answer')
  const maxOutputTokens = smallerCap(maxReaderTokens, plan.maxOutputTokens)
  const price = reader.isOther ? { price: reader.model.price } : {}
  return { localInputTokens, maxOutputTokens, exclusive: false, ...price, what: 'reader call' }
}

async function sendToReader(
  run: AttemptRun,
  reader: GoalReaderModel,
  request: ReserveRequest,
  messages: Parameters<GoalReaderModel['model']['call']>[0],
): Promise<ReaderAnswer> {
  const { model, isOther } = reader
  const reservation = run.meter.reserve(request)
  run.usage.modelCalled()
  let isWaiting = false
  // What exceeds a budget here makes the next call of the agent fail, which ends the attempt.
  const settle = (message: AIMessage): ReaderAnswer => {
    const answer = readModelAnswer(message)
    run.usage.modelAnswered(answer.usage, ...(isOther ? [model.price] : []))
    const billed = answer.usage?.outputTokens ?? null
    reservation.settle(
      answer.usage,
      billed === null ? localOutputTokens(answer, text => model.countTokens(text)) : 0,
    )
    return answer
  }
  try {
    const call = model.call(messages, {
      tools: [],
      maxOutputTokens: reservation.maxOutputTokens,
      signal: run.toolSignal,
      held(by, waitedMs) {
        isWaiting = by !== null
        if (by === null) run.usage.waits(run.environment.clock.now() - waitedMs, waitedMs)
      },
    })
    return settle(await untilAborted(call, run.toolSignal))
  } catch (error) {
    const answered = error instanceof ProviderError ? error.answer : null
    if (answered !== null) settle(answered)
    else {
      const wasSent = !isWaiting && (run.toolSignal.aborted || isCutOff(run, error))
      settleUnanswered(run, reservation, { wasSent })
    }
    throw error
  }
}
