import { defineConfig } from 'vite'

/** Packages that load files of their own beside their code, or a program. */
const external = ['@hyzyla/pdfium', 'bullmq', 'chromadb', 'ioredis', 'jiti', 'playwright', 'playwright-core']

/** The command as few files, packages included: a thousand modules took longer to find than to run. */
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
