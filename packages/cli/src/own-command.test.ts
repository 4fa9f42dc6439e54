import { expect, it } from 'vitest'
import { commandOf } from './own-command.ts'

it.each([
  ['/bin/svc', 'svc'],
  ['/cache/_npx/0a1b/node_modules/.bin/svc', 'npx @svc/cli'],
  ['/app/node_modules/.bin/svc', 'npx @svc/cli'],
  ['C:\\app\\node_modules\\@svc\\cli\\dist\\svc.js', 'npx @svc/cli'],
  ['/app/node_modules/other/bin.js', 'svc'],
  [undefined, 'svc'],
])('hints of %s name a command that can be run there: %s', (program, command) => {
  expect(commandOf(program)).toBe(command)
})
