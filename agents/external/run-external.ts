import { storedText } from '../../logs/blobs.ts'
import { choosePromptLanguage } from '../../src/core/language.ts'
import type { PromptMessages } from '../../src/core/prompts.ts'
import type { Clock } from '../../src/core/runtime.ts'
import type { Question } from '../../src/core/task.ts'
import { untilAborted } from '../../src/system/retry.ts'
import { isFatalToRun } from '../../src/system/system-errors.ts'
import { type AttemptRun, openAttemptRun } from '../attempt-run.ts'
import { createCallEvents } from '../call-events.ts'
import { conclude } from '../conclude.ts'
import { openGateway } from '../gateway/gateway.ts'
import type { AgentProxy } from '../gateway/proxy/proxy.ts'
import { gatewayRoutes } from '../gateway/routes.ts'
import { type GatewaySession, openSession } from '../gateway/session.ts'
import { RequestFlood } from '../gateway/session-end.ts'
import { promptsOfForm } from '../prompts/kinds/registry.ts'
import { loopNotes } from '../prompts/notes.ts'
import type { SettingEnvironment, SettingOutcome } from '../setting.ts'
import { budgetReason, type EndOfAttempt, endOfFailure, noProgressEnd, plainDetail } from '../termination.ts'
import { openToolbox } from '../toolbox.ts'
import type { AgentJob, AgentResult, AgentTask, ExternalAgent } from './agent-job.ts'
import { IsolationFailure } from './agent-process.ts'

/** Time for an agent to return after its attempt has ended. Programs are killed earlier. */
const returnMs = 30_000

/** Makes one attempt of an external agent behind a gateway of its own. */
export async function runExternal(
  agent: ExternalAgent,
  question: Question,
  environment: SettingEnvironment,
): Promise<SettingOutcome> {
  const events = createCallEvents()
  const run = openAttemptRun(environment, event => events.file(() => run.emitBudget(event)))
  const notes = loopNotes[choosePromptLanguage(question.language)]
  const { lastCallNote = true } = agent
  const lastCall = lastCallNote
    ? { answerNow: promptsOfForm(question.form).answerNow(question), shortened: notes.shortened }
    : null
  let session: GatewaySession | null = null
  const laterWork: (() => Promise<void>)[] = []
  const working = conclude(
    run,
    question,
    async () => {
      const opened = openSession(run, openToolbox(run, events, notes), events, lastCall)
      session = opened
      const gateway = await openGateway(opened, gatewayRoutes)
      let proxy: AgentProxy | null = null
      try {
        proxy = await openAgentProxy(opened)
        const prompt = environment.prompts.online(question, environment.chainOfThought)
        const job: AgentJob = {
          attemptId: environment.attemptId,
          task: buildAgentTask(question, environment, prompt),
          addresses: { ...gateway.variables, ...proxy?.variables },
          signal: opened.ended,
          keepText: text => storedText(text, { put: environment.keepText }),
          report: event => run.emit(event),
          afterwards: work => laterWork.push(work),
        }
        const result = await awaitResult(agent, job, environment.clock)
        return { answerText: result.answerText, end: findEnd(run, opened, result) }
      } finally {
        await proxy?.close()
        await gateway.close()
        await opened.close()
      }
    },
    () => ({ draft: null, forcedFinal: session !== null && session.lastCallReason() !== null }),
  )
  const concluded = await working.finally(() => Promise.allSettled(laterWork.map(work => work())))
  const { isolation = 'none' } = agent
  return { ...concluded, isolation, context: null, retrieval: null, chunks: null }
}

/** Opens the proxy under --agent-proxy. Its parts are loaded on first use. */
async function openAgentProxy(session: GatewaySession): Promise<AgentProxy | null> {
  const { agentProxy = null } = session.run.environment
  if (agentProxy === null) return null
  const { openProxy } = await import('../gateway/proxy/proxy.ts')
  return await openProxy(session, agentProxy)
}

/**
 * Returns the result of the agent, also when it throws or does not return.
 *
 * @throws errors that end the whole run, such as a full disk
 */
async function awaitResult(agent: ExternalAgent, job: AgentJob, clock: Clock): Promise<AgentResult> {
  const returned = new AbortController()
  const working = agent.run(job).catch((error: unknown): AgentResult => {
    // The agent is not to blame for an isolation that failed.
    if (isFatalToRun(error) || error instanceof IsolationFailure) throw error
    return { answerText: null, failure: `the agent failed: ${errorMessage(error)}` }
  })
  const late = untilAborted(new Promise<never>(() => undefined), job.signal)
    .catch(() => clock.sleep(returnMs, returned.signal))
    .then((): AgentResult => ({ answerText: null, failure: 'the agent did not end' }))
  late.catch(() => undefined)
  try {
    return await Promise.race([working, late])
  } finally {
    returned.abort(new Error('the agent has returned'))
  }
}

const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function buildAgentTask(
  question: Question,
  { caps, clock }: SettingEnvironment,
  prompt: PromptMessages,
): AgentTask {
  const { taskId, query, documentNames, language, form } = question
  return {
    taskId,
    query,
    documentNames,
    language,
    prompt,
    answerKind: form.kind,
    schema: form.kind === 'json' ? form.schema : null,
    columns: form.kind === 'table' ? (form.keyColumns ?? null) : null,
    budgets: caps,
    deadline: caps.wallMs === undefined ? null : new Date(clock.now() + caps.wallMs).toISOString(),
  }
}

/**
 * Decides how an attempt ended, from the calls that the gateway saw and the result of the agent.
 *
 * @throws errors that end the whole run, such as a full disk
 */
function findEnd(
  run: AttemptRun,
  session: GatewaySession,
  { answerText, failure }: AgentResult,
): EndOfAttempt {
  if (run.signal.aborted) return endOfFailure(run.signal.reason, run.failing)
  const fatal = session.fatal()
  if (isFatalToRun(fatal)) throw fatal
  const refused = fatal instanceof RequestFlood ? fatal.refusedKind : session.refusedKind()
  if (fatal instanceof RequestFlood && refused === null) return noProgressEnd(fatal.message)
  if (fatal !== null && refused === null) return endOfFailure(fatal, run.failing)
  if (refused !== null) return { cause: 'budget', reason: budgetReason(refused), detail: null }
  const hasFailed = answerText === null || failure !== null
  if (hasFailed && run.failing !== null) return endOfFailure(run.failing, null)
  const last = session.lastCallReason()
  if (last !== null)
    return { cause: 'budget', reason: last, detail: failure === null ? null : plainDetail(failure) }
  if (hasFailed) {
    const detail = plainDetail(failure ?? 'the agent ended without an answer')
    return { cause: 'agent', reason: 'crashed', detail }
  }
  const answered = run.environment.hasAnswer(answerText, 0)
  return { cause: 'agent', reason: answered ? 'answered' : 'answered-without-table', detail: null }
}
