import { storedText } from '../../logs/blobs.ts'
import { promptLanguageOf } from '../../src/core/language.ts'
import type { PromptMessages } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { type AttemptRun, openAttemptRun } from '../attempt-run.ts'
import { createCallEvents } from '../call-events.ts'
import { conclude } from '../conclude.ts'
import { openGateway } from '../gateway/gateway.ts'
import type { AgentProxy } from '../gateway/proxy/proxy.ts'
import { gatewayRoutes } from '../gateway/routes.ts'
import { type GatewaySession, openSession } from '../gateway/session.ts'
import { loopNotes } from '../prompts/notes.ts'
import type { Agent, SettingEnvironment } from '../setting.ts'
import { budgetReason, type End, type Ended, endOfFailure } from '../termination.ts'
import { openToolbox } from '../toolbox.ts'
import type { AgentJob, AgentResult, AgentTask } from './agent-job.ts'

/** An agent that is not ours: a function that starts it, or does its work, and waits for its answer. */
export interface ExternalAgent {
  readonly summary: string
  /**
   * Makes one attempt. When `job.signal` aborts, it stops the agent and returns what the agent has answered so far.
   */
  run(job: AgentJob): Promise<AgentResult>
}

/**
 * Returns an agent whose model calls, searches and fetches go through a gateway of its own for each attempt: they are
 * charged, traced and guarded like those of our own loop.
 */
export function behindGateway(agent: ExternalAgent): Agent {
  return {
    summary: agent.summary,
    async run(question, environment) {
      const events = createCallEvents()
      const run = openAttemptRun(environment, event => events.file(() => run.emitBudget(event)))
      const notes = loopNotes[promptLanguageOf(question.language)]
      const concluded = await conclude(
        run,
        question,
        async () => {
          const session = openSession(run, openToolbox(run, events, notes), events)
          const gateway = await openGateway(session, gatewayRoutes)
          const proxy = await openProxyOf(session)
          try {
            const prompt = environment.prompts.online(question, environment.chainOfThought)
            const result = await agent.run({
              attemptId: environment.attemptId,
              task: taskOf(question, environment, prompt),
              addresses: { ...gateway.variables, ...proxy?.variables },
              signal: session.ended,
              keepText: text => storedText(text, { put: environment.keepText }),
              report: event => run.emit(event),
            })
            return endOf(run, session, result)
          } finally {
            await proxy?.close()
            await gateway.close()
            await session.close()
          }
        },
        () => ({ draft: null, forcedFinal: false }),
      )
      return { ...concluded, context: null, retrieval: null, chunks: null }
    },
  }
}

/** Opens the proxy under --agent-proxy. Its parts are loaded on first use. */
async function openProxyOf(session: GatewaySession): Promise<AgentProxy | null> {
  const { agentProxy = null } = session.run.environment
  if (agentProxy === null) return null
  const { openProxy } = await import('../gateway/proxy/proxy.ts')
  return await openProxy(session, agentProxy)
}

function taskOf(question: Question, { caps, clock }: SettingEnvironment, prompt: PromptMessages): AgentTask {
  const { taskId, query, documentNames, language, form } = question
  return {
    ...{ taskId, query, documentNames, language, prompt },
    answerKind: form.kind,
    schema: form.kind === 'json' ? form.schema : null,
    columns: form.kind === 'table' ? (form.keyColumns ?? null) : null,
    budgets: caps,
    deadline: caps.wallMs === undefined ? null : new Date(clock.now() + caps.wallMs).toISOString(),
  }
}

/** How an attempt ended, from what the gateway has seen and what the agent has left behind. */
function endOf(run: AttemptRun, session: GatewaySession, { answerText, failure }: AgentResult): Ended {
  return { answerText, end: reasonOf(run, session, { answerText, failure }) }
}

function reasonOf(run: AttemptRun, session: GatewaySession, { answerText, failure }: AgentResult): End {
  const fatal = session.fatal()
  if (run.signal.aborted) return endOfFailure(run.signal.reason, run.failing)
  if (fatal !== null) return endOfFailure(fatal, run.failing)
  const refused = session.refusedKind()
  if (refused !== null) return { cause: 'budget', reason: budgetReason(refused), detail: null }
  if (answerText === null || failure !== null) {
    if (run.failing !== null) return endOfFailure(run.failing, null)
    return { cause: 'agent', reason: 'crashed', detail: failure ?? 'the agent ended without an answer' }
  }
  const answered = run.environment.hasAnswer(answerText, 0)
  return { cause: 'agent', reason: answered ? 'answered' : 'answered-without-table', detail: null }
}
