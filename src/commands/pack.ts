import { open } from 'node:fs/promises'
import { ConfigError } from '../core/errors.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { createRepeatable } from './repeated-flags.ts'

interface PackFlags {
  readonly out: string
  readonly author?: readonly string[]
  readonly licence?: string
  readonly title?: string
  readonly citation?: string
  readonly withoutPages?: boolean
  readonly withoutGold?: boolean
  readonly acceptKeys?: boolean
  readonly json?: boolean
}

/** Registers `pack`. */
export const registerPack: RegisterCommand = command => {
  withPlugins(command)
    .argument('<RUN...>', 'the folders of runs')
    .requiredOption('--out <FILE>', 'the file to write, such as evidence.zip')
    .option(
      '--licence <LICENCE>',
      'what readers may do: an SPDX id such as CC-BY-4.0, or an address (of CITATION.cff)',
    )
    .addOption(createRepeatable('--author <AUTHOR>', "a name, or 'Name <ORCID>' (those of CITATION.cff)"))
    .option('--title <TITLE>', 'the title of the pack (of CITATION.cff)')
    .option('--citation <FILE>', 'the file with authors, title and licence (CITATION.cff)')
    .option('--without-pages', 'leave out documents, pages and traces, and keep their hashes')
    .option('--without-gold', 'leave out the tasks with their gold, and keep their hashes')
    .option('--accept-keys', 'pack texts that look like keys, after you have read them')
    .option('--json', 'print JSON')
    .action(packToFile)
}

async function packToFile(folders: readonly string[], flags: PackFlags): Promise<void> {
  const { packRuns } = await import('../run/pack-runs.ts')
  const { parseAuthor, parseLicence, readCitation } = await import('../run/pack/authors.ts')
  const { packBibtex, packLines } = await import('../run/pack/pack-lines.ts')
  const { requireWritableFile } = await import('../system/files.ts')
  const authors = (flags.author ?? []).map(parseAuthor)
  const file = await readCitation(flags.citation ?? 'CITATION.cff')
  if (file === null && flags.citation !== undefined)
    throw new ConfigError(`--citation ${flags.citation}: no such file. Correct the path.`, {
      code: 'invalid-citation',
    })
  const licence = flags.licence ?? file?.licence ?? null
  const citation = {
    authors: authors.length > 0 ? authors : (file?.authors ?? []),
    title: flags.title ?? file?.title ?? null,
    licence: licence && parseLicence(licence),
  }
  await requireWritableFile('--out', flags.out)
  await requireArchiveOrNothing(flags.out)
  const withheld = [
    ...(flags.withoutPages === true ? (['pages'] as const) : []),
    ...(flags.withoutGold === true ? (['gold'] as const) : []),
  ]
  const { env } = process
  const result = await packRuns(folders, {
    out: flags.out,
    citation,
    withheld,
    env,
    acceptKeys: flags.acceptKeys === true,
  })
  const bibtex = packBibtex(result, citation)
  if (citation.authors.length === 0)
    process.stderr.write('pack: the pack names no author. Add --author, or write CITATION.cff.\n')
  for (const notice of result.notices) process.stderr.write(`pack: ${notice}\n`)
  process.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ ...result, out: flags.out, bibtex })}\n`
      : packLines(flags.out, result, bibtex),
  )
}

/** Refuses to replace a file that is no archive, because it is surely no earlier pack. */
async function requireArchiveOrNothing(path: string): Promise<void> {
  const { ifMissing } = await import('../system/files.ts')
  const file = await open(path).catch(ifMissing)
  if (file === null) return
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0).finally(() => file.close())
  if (bytesRead === 0 || buffer.toString('latin1') === 'PK') return
  throw new ConfigError(`--out ${path}: the file exists and is no pack. Name another file with --out.`, {
    code: 'file-exists',
  })
}
