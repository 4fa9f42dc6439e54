import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'

/** Says how a property is kept in a column. */
export interface Kind {
  readonly sql: 'TEXT' | 'INTEGER' | 'REAL' | 'BLOB'
  readonly write: (value: unknown) => SQLInputValue
  readonly read: (value: SQLOutputValue) => unknown
}

const number = (sql: 'INTEGER' | 'REAL'): Kind => ({
  sql,
  write: (value) => (value === null ? null : Number(value)),
  read: (value) => value,
})

export const text: Kind = {
  sql: 'TEXT',
  write: (value) => (value === null ? null : String(value)),
  read: (value) => value,
}
export const whole = number('INTEGER')
export const real = number('REAL')
export const flag: Kind = { sql: 'INTEGER', write: (value) => (value ? 1 : 0), read: (value) => value === 1 }
export const json: Kind = {
  sql: 'TEXT',
  write: (value) => (value === null ? null : JSON.stringify(value)),
  read: (value) => (value === null ? null : JSON.parse(String(value))),
}
export const bytes: Kind = {
  sql: 'BLOB',
  write: (value) => (value instanceof Uint8Array ? value : null),
  read: (value) => value,
}
