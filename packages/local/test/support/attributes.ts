type Said = string | string[] | boolean | number

/** Attributes as OTLP/JSON writes them. */
export const attributes = (said: Readonly<Record<string, Said>>) =>
  Object.entries(said).map(([key, value]) => ({ key, value: anyValue(value) }))

function anyValue(value: Said): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  if (typeof value === 'number') return { doubleValue: value }
  return typeof value === 'boolean' ? { boolValue: value } : { stringValue: value }
}
