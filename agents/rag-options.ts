import { embedders, findEmbedder, retrievers, vectorStores } from '../retrieval/registry.ts'
import { isOnlineControl, onlineControls, ragControls } from '../src/core/controls.ts'
import { armPerElement, defineOption, oneArm } from '../src/core/option-spec.ts'
import {
  entriesOf,
  entryOf,
  httpUrl,
  keysOf,
  listOf,
  oneOf,
  optional,
  sizes,
  text,
} from '../src/core/option-values.ts'

const option = defineOption('RAG', { separates: ['rag'] })

const embedder = text.transform(name => {
  findEmbedder(name)
  return name
})

/** The options for chunks: how they are embedded, stored and selected. Variants name them in this order. */
export const ragOptions = {
  retriever: option(
    'LIST',
    entriesOf(retrievers).default(['aoe']),
    `${retrievers.names().join(', ')}; each value is an arm`,
    { separates: [], arms: armPerElement('aoe') },
  ),
  embedder: option('NAME', embedder.default('hash'), embedders.names().join(', '), { arms: oneArm('hash') }),
  vectorStore: option(
    'NAME',
    entryOf(vectorStores).default('exact'),
    'exact (every chunk compared), chroma (an approximate index)',
    { arms: oneArm('exact') },
  ),
  chroma: option('URL', optional(httpUrl), 'a Chroma server of your own, for --vector-store chroma', {
    changes: 'course',
  }),
  ragQuery: option(
    'HOW',
    oneOf(['task', 'column']).default('task'),
    "task: one query, the task's; column: one query per column, which the model lists first",
    { arms: oneArm<'task' | 'column'>('task') },
  ),
  contextTokens: option(
    'N,…',
    sizes.default([]),
    "tokens of chunks in the prompt, instead of the retriever's limits, such as 2k,8k,32k; each value is an arm",
    { separates: [], arms: armPerElement<number | null>(null) },
  ),
  controls: option(
    'LIST',
    listOf([...keysOf(ragControls), ...keysOf(onlineControls)], 0).default([]),
    `additional attempts: rag with other chunks of equal size (${keysOf(ragControls).join(', ')}), offline with the documents that online found (found-only), online with the documents that it missed (oracle-inject)`,
    {
      separates: [],
      arms: controls => [
        { value: null, shown: null },
        ...controls.filter(name => !isOnlineControl(name)).map(value => ({ value, shown: value })),
      ],
    },
  ),
} as const
