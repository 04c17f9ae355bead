import { defineConfig } from 'vite'

/**
 * Packages that are not joined: those that load a program or files beside their code, those that a provider's package of
 * LangChain loads too (one copy), and those that users install when they need them.
 */
const external = [
  '@embedpdf/pdfium',
  '@langchain/core',
  '@langchain/textsplitters',
  'bullmq',
  'chromadb',
  'ioredis',
  'jiti',
  'p-retry',
  'pino',
  'playwright',
  'sql.js',
  'zod',
]

/** The command, the library and the modules of worker threads (`builtModule`). They share what they have in common. */
const input = {
  cli: 'dist/src/cli.js',
  index: 'dist/src/index.js',
  testing: 'dist/src/testing/index.js',
  ...Object.fromEntries(
    [
      'retrieval/ocr/worker',
      'retrieval/pdf/worker',
      'src/run/queue/heartbeat-thread',
      'src/system/sql/query-worker',
      'tools/read-worker',
    ].map(module => [module, `dist/${module}.js`]),
  ),
}

/** The program as few files, most packages included, in place of a thousand modules. */
export default defineConfig({
  build: {
    ssr: true,
    rollupOptions: { input },
    outDir: 'dist/bundle',
    target: 'node20',
    minify: false,
    license: { fileName: 'licenses.md' },
  },
  ssr: { noExternal: true, external },
  publicDir: false,
  logLevel: 'warn',
})
