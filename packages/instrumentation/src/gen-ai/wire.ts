import { type Fields, isObject } from './read.ts'

/** Renames fields as they are on the wire: `toolCalls` becomes `tool_calls`. */
export function withWireNames(fields: Fields): Fields {
  const entries = Object.entries(fields)
  return Object.fromEntries(entries.map(([name, value]) => [toSnakeCase(name), value]))
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Renames fields as libraries have them, and those of objects within: `inline_data` becomes `inlineData`. */
export function withLibraryNames(fields: Fields, depth = 3): Fields {
  const nested = (value: unknown) =>
    depth > 1 && isObject(value) && !Array.isArray(value) ? withLibraryNames(value, depth - 1) : value
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [toCamelCase(name), nested(value)]))
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())
}
