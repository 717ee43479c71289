import { type Contract, jsonOf, type Schema } from './answers.ts'

type Schemas = Readonly<Record<string, Schema>>

const WITHIN = { name: 'objects', 'x-displayName': 'Objects', description: 'What requests and answers are made of.' }

/**
 * The contract with a part for each object: for those that an operation takes or answers with beside it, for those
 * within them in a group of their own; and with examples of objects.
 */
export function withObjects(contract: Contract): Contract {
  const schemas = contract.components?.schemas ?? {}
  const operations = Object.values(contract.paths).flatMap((methods) => Object.values(methods))
  for (const { tags = [], requestBody, responses } of operations) {
    for (const content of [jsonOf(requestBody), jsonOf(responses['200'])]) {
      if (!content?.schema) continue
      group(content.schema, tags, schemas)
      exemplify(content.schema, content.example, schemas)
    }
  }
  groupOthers(contract, schemas)
  return contract
}

/** Puts the objects that no operation names into a group of their own. */
function groupOthers({ tags }: Contract, schemas: Schemas): void {
  for (const schema of Object.values(schemas)) schema['x-tags'] ??= [WITHIN.name]
  tags?.push(WITHIN)
}

/** Puts the object that a schema names, or those of its list, into the groups of an operation. */
function group(schema: Schema, tags: readonly string[], schemas: Schemas): void {
  const { $ref = schema.properties?.items?.items?.$ref } = schema
  const object = objectOf($ref, schemas)
  if (object) object['x-tags'] = [...new Set([...(object['x-tags'] ?? []), ...tags])]
}

/** Gives each object that a value has the first part of it that is such an object as its example. */
function exemplify(schema: Schema, value: unknown, schemas: Schemas): void {
  if (value === undefined || value === null) return
  const object = objectOf(schema.$ref, schemas)
  if (object && object.example === undefined) {
    object.example = value
    exemplify(object, value, schemas)
  }
  for (const [inner, part] of partsOf(schema, value)) exemplify(inner, part, schemas)
}

/** The schemas within one, each with its part of the value; of alternatives, the only one that is an object. */
function partsOf(schema: Schema, value: unknown): (readonly [Schema, unknown])[] {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
  const named = [...anyOf, ...oneOf].filter(({ $ref, items: inner }) => $ref ?? inner)
  const parts = [...allOf, ...(named.length === 1 ? named : [])].map((one) => [one, value] as const)
  if (Array.isArray(value)) return items ? [...parts, [items, value[0]]] : parts
  const own = Object.entries(value ?? {}).flatMap(([name, inner]) => {
    const part = properties[name]
    return part ? [[part, inner] as const] : []
  })
  return [...parts, ...own]
}

const objectOf = ($ref: string | undefined, schemas: Schemas): Schema | undefined => schemas[$ref?.split('/').at(-1) ?? '']
