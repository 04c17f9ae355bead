/** A fenced block of a page whose info string names a file, such as ```ts tools/search/pelican.ts. */
export interface FileBlock {
  readonly language: string
  /** Relative to the package's root. */
  readonly path: string
  /** The field of a plug-in whose samples the block belongs to; absent: the block is a whole file or a change. */
  readonly field?: string
  readonly text: string
}

/** Returns the blocks of a page that name a file, in their order. */
export function fileBlocksOf(markdown: string): FileBlock[] {
  return [...markdown.matchAll(/^```(\w+) (\S+)(?: (\w+))?\n(.*?)^```$/gms)].map(
    ([, language, path, field, text]) => ({
      language: language!,
      path: path!,
      ...(field === undefined ? {} : { field }),
      text: text!,
    }),
  )
}

/** A table of a page that lists the members of an interface: ``[`NAME`](FILE)`` followed by rows that begin with a member. */
export interface MemberTable {
  readonly name: string
  /** As the page's link writes it. */
  readonly file: string
  readonly members: readonly string[]
}

/** Returns the tables of members of a page. */
export function memberTablesOf(markdown: string): MemberTable[] {
  const tables = markdown.matchAll(
    /^[^|\n]*\[`(\w+)`\]\(([^)]+\.ts)\)[^|\n]*:\n\n\| member \|.*\n\|[-|]+\n((?:\|.*\n)+)/gm,
  )
  return [...tables].map(([, name, file, rows]) => ({
    name: name!,
    file: file!,
    members: [...rows!.matchAll(/^\| `(\w+)` \|/gm)].map(row => row[1]!),
  }))
}
