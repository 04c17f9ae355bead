import { type Arm, settingLabel } from '../../core/arm.ts'
import { groupBy } from '../../core/group-by.ts'

/** Short names for the models of a table or figure. */
export interface ModelNaming {
  /** Whether there are several models. A single model is named once, in the title, and not in every row. */
  readonly several: boolean
  /** Returns a short name without the parts that all models share. Every model has a different short name. */
  of(model: string): string
}

/** Returns short names for the models of these rows. */
export function nameModels(rows: readonly { readonly model: string }[]): ModelNaming {
  const models = [...new Set(rows.map(row => row.model))]
  const names = shortenModelNames(models)
  return { several: models.length > 1, of: model => names.get(model) ?? model }
}

/** Names an arm with its model, such as `rag [cot=off] · gpt-4o`. Leaves the model out when there is only one. */
export function labelArm(arm: Arm, models: ModelNaming): string {
  return withModel(settingLabel(arm), arm.model, models)
}

/** Adds the model to the name of an arm. Leaves it out when there is only one. */
export function withModel(name: string, model: string, models: ModelNaming): string {
  return models.several ? `${name} · ${models.of(model)}` : name
}

/**
 * Explains the short names of models, as in `Models: gpt-4o = openai:gpt-4o`.
 *
 * @returns one line, or none when no name was shortened
 */
export function listModelLegend(rows: readonly { readonly model: string }[]): string[] {
  const naming = nameModels(rows)
  const models = naming.several ? [...new Set(rows.map(row => row.model))] : []
  const pairs = models.flatMap(model =>
    naming.of(model) === model ? [] : [`${naming.of(model)} = ${model}`],
  )
  return pairs.length === 0 ? [] : [`Models: ${pairs.join(', ')}`]
}

/** Returns the forms of a model's name, the shortest first: `Qwen3-8B`, `Qwen/Qwen3-8B`, `Qwen/Qwen3-8B@host:8000`, … */
function listModelNameForms(model: string): string[] {
  const [, provider = '', name = model, url = ''] =
    /^(?:([\w-]+):)?(.*?)(?:@(https?:\/\/.*))?$/is.exec(model) ?? []
  const host = URL.canParse(url) ? `@${new URL(url).host}` : ''
  const last = name.split('/').findLast(part => part !== '') ?? name
  const forms = [last, name, `${provider}:${name}`, `${name}${host}`, model]
  return forms.filter(form => !/^:|^$/.test(form))
}

/** Returns the shortest form of a model's name: `Qwen3-8B` for `openai:Qwen/Qwen3-8B`. */
export function shortenModelName(model: string): string {
  return listModelNameForms(model)[0] ?? model
}

/** Maps each model to its shortest form that no other model has. */
function shortenModelNames(models: readonly string[]): Map<string, string> {
  if (models.length === 1) return new Map(models.map(model => [model, model]))
  const forms = new Map(models.map(model => [model, listModelNameForms(model)]))
  const names = new Map(models.map(model => [model, forms.get(model)?.[0] ?? model]))
  for (let at = 1; at < 5; at++) {
    for (const alike of groupBy(models, model => names.get(model)!).values()) {
      if (alike.length === 1) continue
      const next = (model: string): string => forms.get(model)?.[at] ?? model
      // A form that is the same for all of them does not help.
      if (new Set(alike.map(next)).size > 1) for (const model of alike) names.set(model, next(model))
    }
  }
  return names
}
