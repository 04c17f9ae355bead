import { escapeLatex } from '../../report/tables/table-formats.ts'
import { countText } from '../../report/tables/value-text.ts'
import type { Citation } from './authors.ts'

/** What was packed, for messages. */
interface WrittenPack {
  readonly files: number
  readonly bytes: number
  /** SHA-256 of pack.json. */
  readonly identity: string
  readonly title: string
  /** The day of the last event in the runs. */
  readonly day: string
}

/** Returns what `pack` prints. */
export function packLines(file: string, { files, bytes, identity }: WrittenPack, bibtex: string): string {
  return [
    `${file}: ${countText(files, 'file')}, ${(bytes / 1e6).toFixed(1)} MB`,
    `identity: sha256:${identity}`,
    `check it: tablehunt verify ${file}`,
    '',
    bibtex,
    '',
  ].join('\n')
}

/** Returns the BibTeX of a pack. The note has its identity, which `verify` prints too. */
export function packBibtex({ title, identity, day }: WrittenPack, { authors, licence }: Citation): string {
  const names = authors.map(({ name, familyName, givenName }) =>
    familyName !== undefined && givenName !== undefined
      ? escapeLatex(`${familyName}, ${givenName}`)
      : `{${escapeLatex(name)}}`,
  )
  return [
    `@misc{pack-${identity.slice(0, 8)},`,
    `  title = {${escapeLatex(title)}},`,
    ...(names.length === 0 ? [] : [`  author = {${names.join(' and ')}},`]),
    `  year = {${day.slice(0, 4)}},`,
    `  note = {Tablehunt pack, licence ${escapeLatex(licence ?? 'unknown')}, sha256:${identity}}`,
    '}',
  ].join('\n')
}
