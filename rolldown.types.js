import { dts } from 'rolldown-plugin-dts'

/** The types of the two entries of the package, without those of its other modules. */
export default {
  input: { index: 'dist/src/index.d.ts', testing: 'dist/src/testing/index.d.ts' },
  plugins: [dts({ dtsInput: true })],
  external: [/^@langchain\//, /^node:/, /^zod/],
  output: { dir: 'dist/types', format: 'es', cleanDir: true },
}
