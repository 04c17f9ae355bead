import { embedders, findEmbedder, retrievers, vectorStores } from '../../../retrieval/registry.ts'
import { onlineControls, ragControls } from '../../core/controls.ts'
import { optionOf } from '../option-spec.ts'
import { absent, entriesOf, entryOf, httpUrl, listOf, names, oneOf, sizes, text } from '../values.ts'

const option = optionOf('rag')

const embedder = text.transform(given => {
  findEmbedder(given)
  return given
})

/** How chunks are made, kept and chosen. */
export const ragOptions = {
  retriever: option(
    'LIST',
    entriesOf(retrievers).default(['aoe']),
    `${retrievers.names().join(', ')}; several, and each is a variant`,
  ),
  embedder: option('NAME', embedder.default('hash'), embedders.names().join(', ')),
  contextTokens: option(
    'N,…',
    sizes.default([]),
    "tokens of chunks in the prompt in place of the retriever's limits, such as 2k,8k,32k: each a variant",
  ),
  ragQuery: option(
    'HOW',
    oneOf(['task', 'column']).default('task'),
    "the task's query (task), or one for each column that the model states first (column)",
  ),
  controls: option(
    'LIST',
    listOf([...names(ragControls), ...names(onlineControls)], 0).default([]),
    `more attempts: rag with as many tokens of other chunks (${names(ragControls).join(', ')}), offline on what online found (found-only), online with what it missed (oracle-inject)`,
  ),
  vectorStore: option(
    'NAME',
    entryOf(vectorStores).default('auto'),
    'auto (Chroma where its server starts, otherwise exact), chroma, exact',
  ),
  chroma: option('URL', absent(httpUrl), 'a Chroma server of your own'),
} as const
