import { type Command, Option } from 'commander'
import type { StructextFlags } from '../../tasks/structext/make/read-spec.ts'

/** Registers `tasks make structext`. */
export function registerMakeStructext(command: Command): void {
  command
    .description(
      'generate samples of StrucText-Eval in eight languages; their gold is read from the generated text',
    )
    .requiredOption('--out <DIR>', 'folder for tasks.jsonl; the file is replaced')
    .addOption(new Option('--languages <LIST>', 'csv,tree,json,yaml,xml,markdown,latex,org (all)'))
    .addOption(
      new Option(
        '--tasks <LIST>',
        'PathCompose,PathWalk,Syntax,TextRetrieval,Join,Statistics,Tree.Depth,Tree.Height (all)',
      ),
    )
    .option(
      '--depth <LIST>',
      'levels below the root, or rows of a csv table: 1 to 6 (latex: to 5), several by commas',
      '2',
    )
    .option('--width <LIST>', 'children of each node: 1 to 20, several by commas', '2')
    .option('--columns <N>', 'fields of a csv record besides its key: 10 to 200', '10')
    .option(
      '--attributes <N>',
      'most attributes of a json or yaml object or an xml tag, for each level of depth: 1 to 100',
      '6',
    )
    .option(
      '--words <N>',
      'most words of a markdown, latex or org paragraph, for each level of depth: 3 to 100',
      '6',
    )
    .addOption(
      new Option(
        '--damage <SHARE>',
        'share of damaged texts in Syntax tasks: 0 to 1 (almost all, as published)',
      ),
    )
    .option('--shots <N>', 'solved examples of each sample: 0 to 10', '0')
    .option('--count <N>', 'texts for each language, depth and width: 1 to 10000', '1')
    .option('--seed <N>', 'the same seed generates the same bytes', '0')
    .action(make)
}

async function make(flags: StructextFlags & { readonly out: string }): Promise<void> {
  const { requireWritable } = await import('../system/files.ts')
  const { readStructextSpec } = await import('../../tasks/structext/make/read-spec.ts')
  const { writeStructext } = await import('../../tasks/structext/make/write-file.ts')
  const spec = readStructextSpec({ ...flags })
  await requireWritable('--out', flags.out)
  const { file, samples } = await writeStructext(flags.out, spec)
  process.stdout.write(`${samples} samples in ${file}\n`)
}
