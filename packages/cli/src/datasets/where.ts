import { foreignText } from '@svc/core/foreign-text'
import { own } from '@svc/core/own'
import { QUESTIONS } from '@svc/local/parameters'
import type { Params } from '@svc/local/questions'
import { Failure } from '../failure.ts'

/** `name=value`, the value in quotes where it has blanks. */
const CONDITION = /([A-Za-z]+)=(?:"([^"]*)"|'([^']*)'|(\S*))(?:\s+|$)/y

/** Reads the conditions of `--where`: those of `svc traces list`. @throws {Failure} naming what is none */
export function readWhere(text: string): Params {
  const conditions: Record<string, string> = {}
  const pattern = new RegExp(CONDITION)
  for (let at = text.length - text.trimStart().length; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at
    const [, name = '', ...values] = pattern.exec(text) ?? []
    if (own(QUESTIONS.list.parameters, name) === undefined) throw noCondition(text.slice(at))
    conditions[name] = values.find((value) => value !== undefined) ?? ''
  }
  if (Object.keys(conditions).length === 0) throw noCondition(text)
  return conditions
}

const noCondition = (rest: string) =>
  new Failure(
    `svc datasets add: --where has no condition at "${foreignText(rest, 60)}": expected name=value as in 'level=ERROR since=1d', with a name of: ${Object.keys(QUESTIONS.list.parameters).join(', ')}`,
  )
