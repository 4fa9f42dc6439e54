/** A value that fits a JSON schema, as far as structured outputs use one. */
export function fromSchema(schema, name = 'value') {
  if (schema.enum) return schema.enum[0]
  if ('const' in schema) return schema.const
  const variant = schema.anyOf?.[0]
  if (variant) return fromSchema(variant, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') {
    const properties = Object.entries(schema.properties ?? {})
    return Object.fromEntries(properties.map(([key, property]) => [key, fromSchema(property, key)]))
  }
  if (type === 'array') return schema.items ? [fromSchema(schema.items, name)] : []
  if (type === 'integer' || type === 'number') return 42
  if (type === 'boolean') return true
  return type === 'null' ? null : `a ${name}`
}
