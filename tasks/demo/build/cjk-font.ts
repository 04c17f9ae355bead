import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The used functions of HarfBuzz's subsetter in WebAssembly. Pointers are numbers. */
interface Subsetter {
  readonly memory: { readonly buffer: ArrayBuffer }
  _initialize(): void
  malloc(bytes: number): number
  hb_blob_create(data: number, length: number, mode: number, userData: number, destroy: number): number
  hb_face_create(blob: number, index: number): number
  hb_subset_input_create_or_fail(): number
  hb_subset_input_unicode_set(input: number): number
  hb_subset_input_set_flags(input: number, flags: number): void
  hb_set_add(set: number, codepoint: number): void
  hb_subset_or_fail(face: number, input: number): number
  hb_face_reference_blob(face: number): number
  hb_blob_get_length(blob: number): number
  hb_blob_get_data(blob: number, length: number): number
}

declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Subsetter } }>
}

/**
 * HB_MEMORY_MODE_WRITABLE; HB_SUBSET_FLAGS_NO_HINTING | DESUBROUTINIZE: unused subroutines would add 50 KB to each
 * PDF.
 */
const writableMemory = 2
const flags = 0x1 | 0x4
/** The index of simplified Chinese in Noto's collections (JP, KR, SC, TC, HK). */
const simplifiedChinese = 2

/**
 * Returns a font with the characters of a collection that the texts need.
 *
 * @throws Error when the subset cannot be created
 */
export async function subsetFont(path: string, texts: readonly string[]): Promise<Buffer> {
  const wasm = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')
  const { instance } = await WebAssembly.instantiate(readFileSync(wasm), {})
  const hb = instance.exports
  hb._initialize()
  const font = readFileSync(path)
  const data = hb.malloc(font.length)
  new Uint8Array(hb.memory.buffer).set(font, data)
  const face = hb.hb_face_create(
    hb.hb_blob_create(data, font.length, writableMemory, 0, 0),
    simplifiedChinese,
  )
  const input = hb.hb_subset_input_create_or_fail()
  const set = hb.hb_subset_input_unicode_set(input)
  const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')
  for (const character of new Set([printable, ...texts].join(''))) {
    hb.hb_set_add(set, character.codePointAt(0) ?? 32)
  }
  hb.hb_subset_input_set_flags(input, flags)
  const subset = hb.hb_subset_or_fail(face, input)
  if (subset === 0) throw new Error(`${path} could not be cut down to the document's characters`)
  const blob = hb.hb_face_reference_blob(subset)
  const start = hb.hb_blob_get_data(blob, 0)
  return Buffer.from(new Uint8Array(hb.memory.buffer).slice(start, start + hb.hb_blob_get_length(blob)))
}
