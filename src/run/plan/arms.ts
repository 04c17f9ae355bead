import { settings } from '../../../agents/registry.ts'
import { type RunConfig, resolveConfig } from '../../config.ts'
import { isOnlineControl, type OnlineControlName, type RagControlName } from '../../core/controls.ts'
import { flagOf } from '../../core/flag-of.ts'

/** The options that make arms, or a variant of them. */
export type ArmOptions = Pick<
  RunConfig,
  | 'contextTokens'
  | 'controls'
  | 'cut'
  | 'embedder'
  | 'maxOutputTokens'
  | 'ragQuery'
  | 'reasoningEffort'
  | 'retriever'
  | 'showColumns'
  | 'temperature'
  | 'toolProtocol'
  | 'topP'
  | 'vectorStore'
>

/** How one attempt of the rag setting gets its chunks. */
export interface RagArm {
  readonly retriever: ArmOptions['retriever'][number]
  /** Tokens of chunks in the prompt; null: all that are retrieved. */
  readonly contextTokens: number | null
  /** What stands in for the retrieved chunks, in as many tokens; null: nothing does. */
  readonly control: RagControlName | null
}

/** Every arm that a run asks for: each retriever with each size of context, by itself and under each control. */
function ragArms(config: Pick<ArmOptions, 'retriever' | 'contextTokens' | 'controls'>): RagArm[] {
  const sizes: readonly (number | null)[] = config.contextTokens.length === 0 ? [null] : config.contextTokens
  return config.retriever.flatMap(retriever =>
    sizes.flatMap(contextTokens =>
      [null, ...config.controls.filter(name => !isOnlineControl(name))].map(control => ({
        retriever,
        contextTokens,
        control,
      })),
    ),
  )
}

/** One way in which a setting is run: its variant as `name=value` parts, and for rag where its chunks come from. */
export interface Arm {
  readonly variant: readonly string[]
  readonly rag: RagArm | null
  /** Where a control is of another setting than the attempt that it needs. */
  readonly setting?: string
  readonly control?: OnlineControlName
  /** A control's: the arm of the attempt that it needs. */
  readonly base?: { readonly variant: readonly string[] }
}

/** Every way in which a run tries a setting; what differs from the defaults makes its variant. */
export function armsOf(config: ArmOptions, setting: string): Arm[] {
  const common: (keyof ArmOptions)[] = [
    'temperature',
    'topP',
    'maxOutputTokens',
    'reasoningEffort',
    'toolProtocol',
  ]
  const cut = settings.get(setting).source === 'documents' ? differing(config, ['cut']) : []
  const shown = config.showColumns ? ['show-columns=on'] : []
  const before = [...differing(config, common), ...shown, ...cut]
  if (setting === 'online') return [{ variant: before, rag: null }, ...onlineControlArms(config, before)]
  if (setting !== 'rag') return [{ variant: before, rag: null }]
  const store = differing({ ...config, vectorStore: unmarkedStore(config) }, [
    'embedder',
    'vectorStore',
    'ragQuery',
  ])
  return ragArms(config).map(rag => ({
    variant: [
      ...before,
      ...(rag.retriever === 'aoe' ? [] : [`retriever=${rag.retriever}`]),
      ...store,
      ...(rag.contextTokens === null ? [] : [`context-tokens=${rag.contextTokens}`]),
      ...(rag.control === null ? [] : [`control=${rag.control}`]),
    ],
    rag,
  }))
}

/** An arm for each control of the online setting, with the variant of the attempt that it needs. */
function onlineControlArms(config: ArmOptions, variant: readonly string[]): Arm[] {
  return config.controls.filter(isOnlineControl).map(control => {
    const own = [...variant, ...differing(config, ['cut']), `control=${control}`]
    const elsewhere = control === 'found-only' ? ({ setting: 'offline' } as const) : {}
    return { variant: own, rag: null, control, base: { variant }, ...elsewhere }
  })
}

/** Chroma chosen by hand is no variant: `auto` uses it too where it starts, and its fallback returns the same hits. */
function unmarkedStore({ vectorStore }: ArmOptions): ArmOptions['vectorStore'] {
  return vectorStore === 'chroma' ? 'auto' : vectorStore
}

function differing(config: ArmOptions, options: readonly (keyof ArmOptions)[]): string[] {
  const defaults = resolveConfig({ tasks: '-', out: '-' })
  return (
    options
      .filter(name => config[name] !== defaults[name])
      // A server's address is not what a variant is: records hold no hosts.
      .map(name => `${flagOf(name).slice(2)}=${String(config[name]).replace(/@.*$/, '')}`)
  )
}
