/** Models by name, by words of it, or by size. */

/** A model as the service lists it. */
export interface Model {
  name: string
  aliases?: string[]
  family?: string
  parameters?: number | null
}

const SIZE = /(?:^|\s)([\d.]+)\s*([bm])(?=\s|$)/i
const NEAR = 0.2 // of its logarithm: as far as sizes that are called the same lie apart
const BILLION = 1e9
const MILLION = 1e6

/** Families that people choose from today, those asked for most first; the rest follows by name. */
const CURRENT: readonly string[] = [
  'mistral', 'qwen2.5-', 'llama-3.', 'qwen3-', 'gemma-3-', 'gpt-oss', 'ministral', 'olmo-3', 'phi-4', 'deepseek-r1', 'deepseek-v3',
  'smollm', 'granite', 'llama-3-', 'mixtral', 'falcon3', 'gemma-2', 'whisper', 'sdxl', 'flux', 'bge-m3', 'modernbert', 'resnet50',
]
const OTHER_KINDS = ['-vl-', 'embedding', 'reranker', '-image', 'vision', 'coder'] // a size alone asks for a model that chats

/** The models whose name holds what is typed, or of about that size: what begins so first, then what is current. */
export function matchingModels<Found extends Model>(models: readonly Found[], typed: string): Found[] {
  const size = SIZE.exec(typed)
  const text = plainly(typed)
  const wanted = size ? Number(size[1]) * (size[2]?.toLowerCase() === 'm' ? MILLION : BILLION) : null
  const words = plainly(typed.replace(SIZE, ' '))
  const fits = (model: Found): boolean => {
    const near = wanted !== null && distance(model, wanted) <= NEAR
    return near ? holds(model, words) : holds(model, text) && (wanted === null || words !== '')
  }
  const begins = (model: Found): number => (namesOf(model).some((name) => plainly(name).startsWith(text)) ? 0 : 1)
  return models.filter(fits).sort((one, other) =>
    begins(one) - begins(other) || currency(one) - currency(other) || one.name.localeCompare(other.name))
}

const ANY_FAMILY = 'llama' // a plain decoder, as most language models are

/** The name that asks for a model of the typed size, of that family or a plain one; none where one is so called. */
export function ofThatSize(models: readonly Model[], typed: string): string | null {
  const [size, digits = '', unit = ''] = SIZE.exec(typed) ?? []
  const words = typed.replace(size ?? '', '').trim().replaceAll(/[\s_]+/g, '-').toLowerCase()
  const known = !words || models.some((model) => namesOf(model).some((name) => name.toLowerCase().startsWith(words)))
  const name = `${words || ANY_FAMILY}-${Number(digits)}${unit.toLowerCase()}`
  return Number(digits) > 0 && known && !models.some((model) => namesOf(model).includes(name)) ? name : null
}

const holds = (model: Model, text: string): boolean => namesOf(model).some((name) => plainly(name).includes(text))

/** How many parameters a model has, as people say it. */
export function sizeOf({ parameters }: Model): string {
  if (!parameters) return ''
  return parameters >= BILLION ? `${round(parameters / BILLION)}B` : `${round(parameters / MILLION)}M`
}

const round = (value: number): number => Number(value.toPrecision(2 + Number(value >= 100)))
const plainly = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '')
const namesOf = ({ name, aliases = [] }: Model): string[] => [name, ...aliases]
const distance = ({ parameters }: Model, wanted: number): number =>
  parameters ? Math.abs(Math.log(parameters / wanted)) : Infinity

function currency({ name }: Model): number {
  const place = CURRENT.findIndex((family) => name.startsWith(family))
  const known = place < 0 ? CURRENT.length : place
  return OTHER_KINDS.some((kind) => name.includes(kind)) ? known + CURRENT.length + 1 : known
}
