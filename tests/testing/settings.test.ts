import { testEveryEntry } from './every-entry.ts'

testEveryEntry('settings', { 'closed-book': {}, offline: {}, rag: {}, online: {}, 'text-to-sql': {} })
