import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { assignment, helpOf, readArguments } from './cli-arguments.ts'

it.each(['pk-svc-local', 'http://127.0.0.1:3939', "it's $HOME & more"])(
  'the lines to paste reach programs of the shell they are pasted in: %s',
  (value) => {
    const script = `${assignment('SVC_SECRET_KEY', value, 'linux')}\nenv`
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n')).toContain(`SVC_SECRET_KEY=${value}`)
  },
)

it('on Windows the lines are those of PowerShell', () => {
  expect(assignment('SVC_SECRET_KEY', "it's", 'win32')).toBe("$env:SVC_SECRET_KEY = 'it''s'")
})

it.each(['--help', '-h'])('svc-local %s lists every flag', (flag) => {
  expect(readArguments([flag])).toEqual({ help: true })
  const help = helpOf('svc-local')
  for (const name of ['port', 'host', 'db', 'public-key', 'secret-key', 'help']) expect(help).toContain(`--${name}`)
  expect(help).toContain('(default 3939)')
})

describe('invalid arguments of svc-local are an error in one line', () => {
  it.each([
    [['--nothing'], "Unknown option '--nothing'"],
    [['extra'], "Unexpected argument 'extra'"],
    [['--port'], "Option '--port <value>' argument missing"],
    [['--port', '-1'], '--port needs a value; write one that starts with a dash as --port=-VALUE'],
    [['--port', 'many'], '--port many: expected a number from 0 to 65535'],
    [['--port', '70000'], '--port 70000: expected a number from 0 to 65535'],
    [['--db', ''], '--db is empty'],
    [['--keep', 'long'], '--keep long: expected a number above 0'],
    [['--max-size', '0'], '--max-size 0: expected a number above 0'],
    [['--secret-key='], '--secret-key is empty'],
  ])('%j', (args, error) => {
    expect(readArguments(args)).toEqual({ error })
  })
})
