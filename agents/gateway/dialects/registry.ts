import { chatCompletions } from './chat-completions.ts'
import type { Dialect } from './dialect.ts'

/** All request forms of models. */
export const dialects: readonly Dialect[] = [chatCompletions]
