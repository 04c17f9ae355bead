import { testEveryEntry } from './every-entry.ts'

testEveryEntry('settings', {
  'closed-book': {},
  offline: {},
  rag: {},
  online: {},
  'table-rag': {},
  'text-to-sql': {},
})
