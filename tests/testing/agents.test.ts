import { testEveryEntry } from './every-entry.ts'

testEveryEntry('agents', { tablehunt: {} })
