import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'

interface PackFlags {
  readonly out: string
  readonly author: readonly string[]
  readonly licence?: string
  readonly title?: string
  readonly citation: string
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
    .option(
      '--author <AUTHOR>',
      "a name, or 'Name <ORCID>'; may be given several times (those of CITATION.cff)",
      (author: string, authors: readonly string[]) => [...authors, author],
      [],
    )
    .option('--title <TITLE>', 'the title of the pack (of CITATION.cff)')
    .option('--citation <FILE>', 'the file with authors, title and licence', 'CITATION.cff')
    .option('--without-pages', 'leave out documents, pages and traces, and keep their hashes')
    .option('--without-gold', 'leave out the tasks with their gold, and keep their hashes')
    .option('--accept-keys', 'pack texts that look like keys, after you have read them')
    .option('--json', 'print JSON')
    .action(packToFile)
}

async function packToFile(folders: readonly string[], flags: PackFlags): Promise<void> {
  const { packRuns } = await import('../run/pack-runs.ts')
  const { parseAuthor, readCitation } = await import('../run/pack/authors.ts')
  const { packBibtex, packLines } = await import('../run/pack/pack-lines.ts')
  const { requireWritableFile } = await import('../system/files.ts')
  const authors = flags.author.map(parseAuthor)
  const file = await readCitation(flags.citation)
  const citation = {
    authors: authors.length > 0 ? authors : (file?.authors ?? []),
    title: flags.title ?? file?.title ?? null,
    licence: flags.licence ?? file?.licence ?? null,
  }
  await requireWritableFile('--out', flags.out)
  const withheld = [
    ...(flags.withoutPages === true ? (['pages'] as const) : []),
    ...(flags.withoutGold === true ? (['gold'] as const) : []),
  ]
  const { env } = process
  const result = await packRuns(folders, {
    ...{ out: flags.out, citation, withheld, env, acceptKeys: flags.acceptKeys === true },
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
