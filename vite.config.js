import { defineConfig } from 'vite'

/** Packages that load a program or files beside their code, and those that a provider's package of LangChain loads too: one copy. */
const external = [
  '@embedpdf/pdfium',
  '@langchain/community',
  '@langchain/core',
  '@langchain/textsplitters',
  'bullmq',
  'chromadb',
  'ioredis',
  'jiti',
  'sql.js',
  'playwright',
  'zod',
]

/** The command as few files, most packages included, in place of a thousand modules. */
export default defineConfig({
  build: {
    ssr: 'dist/src/cli.js',
    outDir: 'dist/command',
    target: 'node20',
    minify: false,
    license: { fileName: 'licenses.md' },
  },
  ssr: { noExternal: true, external },
  publicDir: false,
  logLevel: 'warn',
})
