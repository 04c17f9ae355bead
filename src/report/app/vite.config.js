import { defineConfig } from 'vite'

/** The report's app as one script and one style sheet, which every report file contains. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    lib: {
      entry: 'main.tsx',
      formats: ['iife'],
      name: 'tablehuntReport',
      fileName: () => 'app.js',
      cssFileName: 'app',
    },
    outDir: '../../../dist/report-app',
    emptyOutDir: true,
    target: 'es2022',
    license: { fileName: 'licenses.md' },
  },
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  logLevel: 'warn',
})
