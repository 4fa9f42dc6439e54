import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { Bytes } from '@svc/core/bytes'
import { parseExactly } from '../exact-json.ts'

/** Says how a property is kept in a column. NULL is null, whatever the kind. */
export interface Kind<Value = unknown> {
  readonly sql: 'TEXT' | 'INTEGER' | 'REAL' | 'BLOB'
  write(value: Value): SQLInputValue
  read(value: SQLOutputValue): Value
}

const asItIs = <Value extends SQLInputValue>(sql: Kind['sql']): Kind<Value> => ({
  sql,
  write: (value) => value,
  read: (value) => value as Value,
})

export const text = asItIs<string>('TEXT')
export const whole = asItIs<number>('INTEGER')
export const real = asItIs<number>('REAL')
export const bytes: Kind<Bytes> = asItIs('BLOB')
/** Text or bytes. */
export const either: Kind<string | Uint8Array> = asItIs('TEXT')
export const flag: Kind<boolean> = { sql: 'INTEGER', write: Number, read: (value) => value === 1 }
/** One of these texts. */
export const word = <Word extends string>(_: readonly Word[]): Kind<Word> => asItIs('TEXT')
export const jsonOf = <Value>(): Kind<Value> => ({
  sql: 'TEXT',
  write: (value) => JSON.stringify(value),
  read: (value) => JSON.parse(String(value)),
})
/** Anything that JSON has. */
export const json = jsonOf<unknown>()
/** {@link json} whose numbers keep their text. */
export const exactJson: Kind = { ...json, read: (value) => parseExactly(String(value)) }
export const texts = jsonOf<readonly string[]>()
export const orNull = <Value>(kind: Kind<Value>): Kind<Value | null> => kind as Kind<Value | null>
