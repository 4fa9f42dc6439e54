import { Visitor } from 'vite'
import { describe, expect, it } from 'vitest'
import { lineAt, type Source, sources } from './repository.ts'

/** Who writes to a terminal, each with its reason. Everything else is said with the logger. */
const WRITERS: Readonly<Record<string, string>> = {
  'packages/core/src/log.ts': 'cleans every line',
  'packages/cli/src/output.ts': 'cleans what all commands print',
  'packages/cli/src/main.ts': 'the last word, when that cannot be printed',
  'packages/local/src/cli.ts': 'cleans what it complains about; announces what it decided itself',
  'packages/client/src/vitest/suite-run.ts': 'a report whose lines are clean',
}

/** What holds text from outside in this code. */
const FOREIGN =
  /\b(?:messageOf|messageIn|message|bodyText|body|text|statusText|stderr|stdout|location|why)\b(?!\.length)/
const CLEANED = /\b(?:foreignText|foreignLines|shown|formatText)\(/
/** Errors that clean what they say themselves. */
const CLEAN_ERRORS = /^(?:Svc(?:API|APITimeout|Page)Error)$/
/** Pages have no terminal, and no secret. */
const isPage = ({ home }: Source) => home === 'browser'

describe('text from outside goes through foreignText():', () => {
  it('only the writers write to the console, to stdout and to stderr', () => {
    const places = sources.filter(({ path }) => !(path in WRITERS)).flatMap(writes)
    expect(places).toEqual([])
  })

  it('every writer still writes', () => {
    const writing = new Set(sources.filter((file) => writes(file).length > 0).map(({ path }) => path))
    expect(Object.keys(WRITERS).filter((path) => !writing.has(path) && path !== 'packages/cli/src/output.ts')).toEqual(
      [],
    )
  })

  it('no error quotes it as it is', () => {
    expect(sources.filter((file) => !isPage(file)).flatMap(quotingErrors)).toEqual([])
  })
})

function writes({ path, syntax, text }: Source): string[] {
  const places: string[] = []
  new Visitor({
    MemberExpression: ({ object, property, start }) => {
      const owner = text.slice(object.start, object.end)
      const name = text.slice(property.start, property.end)
      const isStream = name === 'write' && /\bstd(?:err|out)$/.test(owner)
      if (isStream || owner === 'console') places.push(`${path}:${lineAt(text, start)}`)
    },
  }).visit(syntax.program)
  return places
}

function quotingErrors({ path, syntax, text }: Source): string[] {
  const places: string[] = []
  new Visitor({
    NewExpression: ({ callee, arguments: [message], start }) => {
      const name = text.slice(callee.start, callee.end)
      if (!/Error$/.test(name) || CLEAN_ERRORS.test(name) || message?.type !== 'TemplateLiteral') return
      const quoted = message.expressions.map((each) => text.slice(each.start, each.end))
      if (quoted.some((each) => FOREIGN.test(each) && !CLEANED.test(each)))
        places.push(`${path}:${lineAt(text, start)}`)
    },
  }).visit(syntax.program)
  return places
}
