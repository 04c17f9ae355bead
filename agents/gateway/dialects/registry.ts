import { chatCompletions } from './chat-completions.ts'
import type { Dialect } from './dialect.ts'
import { gemini } from './gemini.ts'
import { messages } from './messages.ts'
import { responses } from './responses.ts'

/** All request forms of models. */
export const dialects: readonly Dialect[] = [chatCompletions, responses, messages, gemini]
