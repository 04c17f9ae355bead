import { basename, join } from 'node:path'
import { DataError } from '../../core/errors.ts'
import { isFile } from '../../system/files.ts'
import { type UnpackedPack, unpackPack } from './unpack.ts'

/** A run that a command reads: a folder, or a run of a pack in a temporary folder. */
export interface RunPlace {
  readonly folder: string
  /** As messages name it: the folder, or the pack and the run in it. */
  readonly shown: string
  /** What the user wrote: the folder or the pack. */
  readonly argument: string
  /** The pack that contains it; null for a folder. */
  readonly pack: UnpackedPack | null
}

/**
 * Opens folders of runs and packs for reading, calls `use` with all of their runs, and removes what was unpacked.
 *
 * @throws DataError [not-a-pack, unsafe-pack, pack-too-large, damaged-pack]
 */
export async function withRunPlaces<T>(
  paths: readonly string[],
  use: (places: readonly RunPlace[]) => Promise<T>,
): Promise<T> {
  const packs: UnpackedPack[] = []
  try {
    const places: RunPlace[] = []
    for (const path of paths) {
      if (!(await isFile(path))) {
        places.push(makeFolderPlace(path))
        continue
      }
      const pack = await unpackPack(path)
      packs.push(pack)
      requireUndamaged(pack)
      places.push(...listPackedRuns(pack))
    }
    return await use(places)
  } finally {
    for (const pack of packs) await pack.close()
  }
}

/** Returns the place of a run's folder. */
export function makeFolderPlace(folder: string): RunPlace {
  return { folder, shown: folder, argument: folder, pack: null }
}

/** Lists the runs of a pack. A pack with one run is named by its file. */
export function listPackedRuns(pack: UnpackedPack): RunPlace[] {
  const { runs } = pack.pack
  return runs.map(({ folder }) => ({
    folder: join(pack.folder, ...folder.split('/')),
    shown: runs.length === 1 ? pack.path : `${pack.path}:${basename(folder)}`,
    argument: pack.path,
    pack,
  }))
}

function requireUndamaged({ path, damages }: UnpackedPack): void {
  const [first] = damages
  if (first === undefined) return
  throw new DataError(
    `${path}: ${damages.length} damaged ${damages.length === 1 ? 'file' : 'files'}: ${first.name} is ${first.problem}. Get the pack again. tablehunt verify ${path} lists all.`,
    { code: 'damaged-pack' },
  )
}
